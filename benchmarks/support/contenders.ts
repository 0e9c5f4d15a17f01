/** The app and its peers over one folder, a service that signs and an nginx that stores. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type AppResult, uploadFresh } from './app.ts';
import { type Peer, runCurl } from './curl.ts';
import type { Contender } from './measure.ts';
import { seconds } from './measure.ts';
import type { Storage } from './nginx.ts';
import { findProgram } from './programs.ts';
import type { Service } from './rig.ts';

const bareLoop = fileURLToPath(new URL('bare-loop.ts', import.meta.url));

export type Work = {
  /** A folder for temporary files of the contenders. */
  readonly dir: string;
  readonly root: string;
  readonly files: readonly string[];
  readonly sizeBytes: number;
  /** How many requests the peers make at once; the app finds its own number. */
  readonly parallel: number;
};

export type Contenders = {
  readonly app: Contender;
  readonly curl: Contender;
  readonly bareLoop: Contender;
  readonly rclone: Contender;
  /** Further measurements of the app's runs. */
  readonly appRuns: readonly AppResult[];
};

/** Contenders that begin with an empty storage, and fail unless every byte is stored in the end. */
export const createContenders = (work: Work, service: Service, storage: Storage): Contenders => {
  const { dir, root, files, sizeBytes, parallel } = work;
  const { sandbox, accessToken } = service;
  const appRuns: AppResult[] = [];

  const contender = (name: string, run: (assignment: string) => Promise<number>): Contender => ({
    name,
    run: async () => {
      storage.empty();
      const took = await run(service.newAssignment());
      const stored = storage.stored();
      if (stored.files === files.length && stored.bytes === files.length * sizeBytes) return took;
      throw new Error(`${name} stored ${stored.files} files with ${stored.bytes} bytes`);
    },
  });
  const peer = (assignment: string): Peer => ({ sandbox, accessToken, assignment, files, parallel });

  return {
    app: contender('app', async (assignment) => {
      const run = await uploadFresh(dir, { sandbox, root, assignment });
      appRuns.push(run);
      return run.seconds;
    }),
    curl: contender('curl', (assignment) => runCurl(dir, peer(assignment))),
    bareLoop: contender('bare loop', (assignment) => runBareLoop(peer(assignment))),
    rclone: contender('rclone', () => runRclone(root, storage, parallel)),
    appRuns,
  };
};

const runBareLoop = async (peer: Peer): Promise<number> => {
  const child = spawn(process.execPath, [bareLoop], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(peer));
  const [result] = await Promise.all([json(child.stdout) as Promise<{ seconds: number }>, once(child, 'exit')]);
  return result.seconds;
};

/**
 * rclone asks no service for signatures: it signs locally, as for S3, and sends one PUT per file. Its WebDAV backend
 * would pause 10 ms before each request.
 */
const runRclone = (root: string, { baseUrl }: Storage, parallel: number): Promise<number> =>
  seconds(async () => {
    const backend = `:s3,provider=Other,access_key_id=key,secret_access_key=secret,no_head,no_check_bucket,endpoint="${baseUrl}"`;
    const options = ['--config', '', '--no-check-dest', '--retries', '1', '--transfers', String(parallel)];
    const args = ['copy', root, `${backend}:storage`, ...options];
    // It cannot use every certificate bundle that the environment may set.
    const env = { PATH: process.env.PATH };
    const child = spawn(findProgram('rclone'), args, { stdio: ['ignore', 'ignore', 'inherit'], env });
    const [exitCode] = await once(child, 'exit');
    if (exitCode !== 0) throw new Error(`rclone ended with ${exitCode}`);
  });
