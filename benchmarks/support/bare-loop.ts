/**
 * The least work that a program on undici can do for the same upload. It signs and sends several files concurrently,
 * without a ledger, hashes, retries or checks for changes. Runs in a separate process, and gets its work as JSON on
 * standard input.
 */
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { json } from 'node:stream/consumers';
import { Agent, request } from 'undici';
import type { Peer } from './curl.ts';

/** The maximum size of a file that is read as a whole. Larger files are streamed. */
const WHOLE_BYTES = 1024 * 1024;
const PART_BYTES = 256 * 1024;

const { sandbox, accessToken, assignment, files, parallel } = (await json(process.stdin)) as Peer;
const dispatcher = new Agent({ connections: parallel });
const signUrl = `${sandbox.baseUrl}/contractor/assignments/${assignment}/files/sign-upload`;
const signHeaders = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' };
const waiting = [...files].reverse();

const one = async (path: string): Promise<void> => {
  const body = JSON.stringify({ FileName: basename(path) });
  const signed = await request(signUrl, { dispatcher, method: 'POST', headers: signHeaders, body });
  const { Url } = (await signed.body.json()) as { Url: string };
  const { size } = await stat(path);
  const content = size <= WHOLE_BYTES ? await readFile(path) : createReadStream(path, { highWaterMark: PART_BYTES });
  const headers = { 'content-length': String(size) };
  const sent = await request(Url, { dispatcher, method: 'PUT', headers, body: content });
  await sent.body.dump();
  if (sent.statusCode >= 300) throw new Error(`the storage answered ${sent.statusCode}`);
};

const worker = async (): Promise<void> => {
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) await one(path);
};

const startCpu = process.cpuUsage();
const beganMs = performance.now();
await Promise.all(Array.from({ length: parallel }, worker));
const seconds = (performance.now() - beganMs) / 1000;
const startCpuSeconds = (startCpu.user + startCpu.system) / 1e6;
process.stdout.write(JSON.stringify({ seconds, startCpuSeconds }));
await dispatcher.close();
