/** Starts Azure's emulator of its blob storage, on 127.0.0.1 and in memory, and creates signatures (SAS) for it. */
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll } from 'vitest';

const account = 'devstoreaccount1';
/** The emulator's published key, which is not a secret. */
const key = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';
const container = 'uploads';
/** The last version with a limit of 64 MiB for a request, so that smaller files already need blocks. */
export const OLD_VERSION = '2015-04-05';
const VERSION = '2019-12-12';

export type Sas = {
  /** `w` to write, `c` to create, `r` to read, `d` to delete. */
  readonly permissions: string;
  readonly expiresMs?: number;
  readonly startsMs?: number;
  readonly version?: string;
};

export type Azurite = {
  readonly sign: (name: string, sas: Sas) => string;
  /** Resolves to the content of the blob, if it exists. */
  readonly read: (name: string) => Promise<Buffer | undefined>;
};

/** Starts the emulator for this file. The result can be used within tests. */
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

/** Creates a service SAS for one blob (see "Create a service SAS", string to sign, in Azure's documentation). */
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

/** Creates an account SAS that permits the creation of the container. */
const accountSas = (): string => {
  const expiry = time(Date.now() + 900_000);
  const fields = [account, 'cw', 'b', 'c', '', expiry, '', '', VERSION, ''];
  return new URLSearchParams({ sv: VERSION, ss: 'b', srt: 'c', sp: 'cw', se: expiry, sig: hmac(fields) }).toString();
};
