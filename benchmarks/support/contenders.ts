/** The app and its peers, which upload one folder to a service that signs and an nginx that stores. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type AppResult, uploadFresh } from './app.ts';
import { endedChildrenCpuSeconds } from './cpu.ts';
import { type Peer, runCurl } from './curl.ts';
import type { Contender } from './measure.ts';
import { seconds } from './measure.ts';
import type { Storage } from './nginx.ts';
import { findProgram, runProgram } from './programs.ts';
import type { Service } from './rig.ts';

const bareLoop = fileURLToPath(new URL('bare-loop.ts', import.meta.url));

type Work = {
  /** A folder for temporary files of the contenders. */
  readonly dir: string;
  readonly root: string;
  readonly files: readonly string[];
  readonly sizeBytes: number;
  /** How many concurrent requests the peers make; the app finds its own number. */
  readonly parallel: number;
};

type Contenders = {
  readonly app: Contender;
  readonly curl: Contender;
  readonly bareLoop: Contender;
  /** curl, together with a program that hashes the same files, as the app does. */
  readonly curlAndSha256sum: Contender;
  readonly curlAndOpenssl: Contender;
  readonly rclone: Contender;
  /** The processor time of each run of a contender, in seconds, without the start of its process. */
  readonly cpuSecondsOf: (contender: Contender) => readonly number[];
  /** Further measurements of the app's runs. */
  readonly appRuns: readonly AppResult[];
};

/** Creates contenders that begin with an empty storage, and fail unless every byte is stored in the end. */
export const createContenders = (work: Work, service: Service, storage: Storage): Contenders => {
  const { dir, root, files, sizeBytes, parallel } = work;
  const { sandbox, accessToken, caFile } = service;
  const appRuns: AppResult[] = [];

  const cpuSeconds = new Map<string, number[]>();

  const contender = (name: string, run: (assignment: string) => Promise<Ran>): Contender => ({
    name,
    run: async () => {
      storage.empty();
      const before = endedChildrenCpuSeconds();
      const { seconds: took, startCpuSeconds = 0 } = await run(service.newAssignment());
      const runs = cpuSeconds.get(name) ?? [];
      cpuSeconds.set(name, [...runs, endedChildrenCpuSeconds() - before - startCpuSeconds]);
      const stored = storage.stored();
      if (stored.files === files.length && stored.bytes === files.length * sizeBytes) return took;
      throw new Error(`${name} stored ${stored.files} files with ${stored.bytes} bytes`);
    },
  });
  const peer = (assignment: string): Peer => ({ sandbox, accessToken, caFile, assignment, files, parallel });

  /** Runs curl and the program at the same time. The time of the slower one counts. */
  const curlBeside =
    (program: string, args: readonly string[]) =>
    async (assignment: string): Promise<Ran> => {
      const hashing = seconds(() => runProgram(program, args));
      const sent = await runCurl(dir, peer(assignment));
      return { seconds: Math.max(sent, await hashing) };
    };

  return {
    app: contender('app', async (assignment) => {
      const run = await uploadFresh(dir, { sandbox, caFile, root, assignment });
      appRuns.push(run);
      return run;
    }),
    curl: contender('curl', async (assignment) => ({ seconds: await runCurl(dir, peer(assignment)) })),
    curlAndSha256sum: contender('curl beside sha256sum', curlBeside('sha256sum', files)),
    curlAndOpenssl: contender('curl beside openssl', curlBeside('openssl', ['dgst', '-sha256', ...files])),
    bareLoop: contender('bare undici loop', (assignment) => runBareLoop(peer(assignment))),
    rclone: contender('rclone (PUT only)', async () => ({
      seconds: await runRclone({ root, storage, parallel, caFile }),
    })),
    cpuSecondsOf: ({ name }) => cpuSeconds.get(name) ?? [],
    appRuns,
  };
};

/** `startCpuSeconds`: the processor time of the contender's process before the upload began. */
type Ran = { readonly seconds: number; readonly startCpuSeconds?: number };

const runBareLoop = async (peer: Peer): Promise<Ran> => {
  const env = { ...process.env, ...(peer.caFile && { NODE_EXTRA_CA_CERTS: peer.caFile }) };
  const child = spawn(process.execPath, [bareLoop], { stdio: ['pipe', 'pipe', 'inherit'], env });
  child.stdin.end(JSON.stringify(peer));
  const [result] = await Promise.all([json(child.stdout) as Promise<Ran>, once(child, 'exit')]);
  return result;
};

type RcloneRun = Pick<Peer, 'parallel' | 'caFile'> & { readonly root: string; readonly storage: Storage };

/**
 * Uploads with rclone, which signs locally, as for S3, and sends one PUT for each file. Its WebDAV backend would pause
 * for 10 ms before each request.
 */
const runRclone = ({ root, storage: { baseUrl }, parallel, caFile }: RcloneRun): Promise<number> =>
  seconds(() => {
    const backend = `:s3,provider=Other,access_key_id=key,secret_access_key=secret,no_head,no_check_bucket,endpoint="${baseUrl}"`;
    const options = ['--config', '', '--no-check-dest', '--retries', '1', '--transfers', String(parallel)];
    const trust = caFile === undefined ? [] : ['--ca-cert', caFile];
    const args = ['copy', root, `${backend}:storage`, ...options, ...trust];
    // Passes only the PATH, because the environment may name a bundle of certificates that rclone cannot read.
    return runProgram(findProgram('rclone'), args, { PATH: process.env.PATH });
  });
