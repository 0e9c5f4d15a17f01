/** Uploads with curl as the app does: signs every file, then sends every file to its Url. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { UploadSignature } from '../../src/contract/resources.ts';
import type { Sandbox } from '../../src/sandbox/server.ts';
import { seconds } from './measure.ts';
import { findProgram, runProgram } from './programs.ts';

export type Peer = {
  readonly sandbox: Pick<Sandbox, 'baseUrl'>;
  readonly accessToken: string;
  readonly assignment: string;
  /** Absolute paths. */
  readonly files: readonly string[];
  /** A certificate to trust in addition to the usual authorities. */
  readonly caFile?: string | undefined;
  /** The number of concurrent requests. */
  readonly parallel: number;
};

/**
 * Runs curl twice with `--parallel`: for all requests for signatures, then for all PUTs. Resolves to the seconds of
 * both runs, without the time between them. Configurations and responses are files below `dir`. The responses are not
 * removed, because removed files slow down new ones (see `empty` of the storage).
 */
export const runCurl = async (dir: string, { sandbox, accessToken, assignment, files, caFile, parallel }: Peer) => {
  const answers = mkdtempSync(join(dir, 'answers-'));
  const answerOf = (index: number): string => join(answers, `${index}.json`);
  const url = `${sandbox.baseUrl}/contractor/assignments/${assignment}/files/sign-upload`;
  const signing = files.map((path, index) => ({
    url,
    header: [`Authorization: Bearer ${accessToken}`, 'Content-Type: application/json'],
    data: JSON.stringify({ FileName: basename(path) }),
    output: answerOf(index),
  }));
  const run = { dir, parallel, caFile };
  const signSeconds = await curl(signing, run);
  const sending = files.map((path, index) => ({
    'upload-file': path,
    url: UploadSignature.parse(JSON.parse(readFileSync(answerOf(index), 'utf8'))).Url,
    output: '/dev/null',
  }));
  const sendSeconds = await curl(sending, run);
  return signSeconds + sendSeconds;
};

type Request = Readonly<Record<string, string | readonly string[]>>;

type Run = Pick<Peer, 'parallel' | 'caFile'> & { readonly dir: string };

const curl = async (requests: readonly Request[], { dir, parallel, caFile }: Run): Promise<number> => {
  const config = join(dir, 'curl.config');
  const trust = caFile === undefined ? {} : { cacert: caFile };
  const configs = requests.map((request) => configOf({ ...request, ...trust }));
  writeFileSync(config, configs.join('next\n'), { mode: 0o600 });
  const args = [
    '--disable',
    '--silent',
    '--show-error',
    '--no-progress-meter',
    '--parallel',
    '--parallel-max',
    String(parallel),
  ];
  return seconds(() => runProgram(findProgram('curl'), [...args, '--config', config]));
};

const configOf = (request: Request): string =>
  ['fail', ...Object.entries(request).flatMap(([name, values]) => [values].flat().map((value) => line(name, value)))]
    .map((text) => `${text}\n`)
    .join('');

const line = (name: string, value: string): string => `${name} = "${value.replaceAll(/["\\]/g, '\\$&')}"`;
