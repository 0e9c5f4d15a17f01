/** Azure's own emulator of its blob storage, over loopback and in memory, and signatures (SAS) for it. */
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll } from 'vitest';

const account = 'devstoreaccount1';
/** The emulator's published key: no secret. */
const key = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';
const container = 'uploads';
/** The last version whose requests end at 64 MiB: blocks are needed early. */
export const OLD_VERSION = '2015-04-05';
const VERSION = '2019-12-12';

export type Sas = {
  /** `w` to write, `c` to create, `r` to read. */
  readonly permissions: string;
  readonly expiresMs?: number;
  readonly startsMs?: number;
  readonly version?: string;
};

export type Azurite = {
  /** A Url signed for the blob `name`. */
  readonly sign: (name: string, sas: Sas) => string;
  /** What is stored, or nothing. */
  readonly read: (name: string) => Promise<Buffer | undefined>;
};

/** Starts the emulator for this file; use the result within tests. */
export const useAzurite = (): Azurite => {
  let started: Awaited<ReturnType<typeof startAzurite>> | undefined;
  beforeAll(async () => {
    started = await startAzurite();
  });
  afterAll(() => started?.stop());
  return {
    sign: (name, sas) => started?.sign(name, sas) ?? '',
    read: async (name) => started?.read(name),
  };
};

/** Starts the emulator, in memory or in `folder`. */
export const startAzurite = async (folder?: string): Promise<Azurite & { readonly stop: () => Promise<void> }> => {
  const main = createRequire(import.meta.url).resolve('azurite/dist/src/blob/main.js');
  const place = folder === undefined ? ['--inMemoryPersistence'] : ['--location', folder];
  const args = [...place, '--disableTelemetry', '--skipApiVersionCheck', '--blobPort', '0'];
  const child = spawn(process.execPath, [main, ...args], { cwd: tmpdir(), stdio: ['ignore', 'pipe', 'inherit'] });
  let base = '';
  for await (const line of createInterface(child.stdout)) {
    const [, origin] = /listens on (http:\/\/127\.0\.0\.1:\d+)/.exec(line) ?? [];
    if (!origin) continue;
    base = `${origin}/${account}/${container}`;
    break;
  }
  child.stdout.resume();
  const made = await fetch(`${base}?restype=container&${accountSas()}`, { method: 'PUT' });
  if (!made.ok) throw new Error(`the container was not made: ${made.status} ${await made.text()}`);
  const sign: Azurite['sign'] = (name, sas) => `${base}/${name}?${blobSas(name, sas)}`;
  return {
    sign,
    read: async (name) => {
      const answer = await fetch(sign(name, { permissions: 'r' }));
      return answer.ok ? Buffer.from(await answer.arrayBuffer()) : undefined;
    },
    stop: async () => {
      child.kill();
      await once(child, 'exit');
    },
  };
};

const hmac = (lines: readonly string[]): string =>
  createHmac('sha256', Buffer.from(key, 'base64')).update(lines.join('\n')).digest('base64');

const time = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** A service SAS for one blob ("Create a service SAS", string to sign of the two versions). */
const blobSas = (name: string, sas: Sas): string => {
  const { permissions, expiresMs = Date.now() + 900_000, version = VERSION } = sas;
  const start = sas.startsMs === undefined ? '' : time(sas.startsMs);
  const resource = `/blob/${account}/${container}/${name}`;
  const inVersion = version >= '2018-11-09' ? ['b', ''] : [];
  const fields = [permissions, start, time(expiresMs), resource, '', '', '', version, ...inVersion, '', '', '', '', ''];
  return new URLSearchParams({
    sv: version,
    ...(start && { st: start }),
    se: time(expiresMs),
    sr: 'b',
    sp: permissions,
    sig: hmac(fields),
  }).toString();
};

/** An account SAS that may make the container. */
const accountSas = (): string => {
  const expiry = time(Date.now() + 900_000);
  const fields = [account, 'cw', 'b', 'c', '', expiry, '', '', VERSION, ''];
  return new URLSearchParams({ sv: VERSION, ss: 'b', srt: 'c', sp: 'cw', se: expiry, sig: hmac(fields) }).toString();
};
