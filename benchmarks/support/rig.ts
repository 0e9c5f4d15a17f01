/** The setup of a case: a service that signs, a storage, files, and a directory for them. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sandbox } from '../../src/sandbox/server.ts';
import { assignmentIds, callWith, signIn } from '../../src/sandbox/testing/client.ts';
import type { SandboxControl } from '../../src/sandbox/testing/control-client.ts';
import { spawnSandbox } from '../../src/sandbox/testing/process.ts';
import { makeCertificate } from './certificate.ts';
import { type Line, type LineSpec, startLine } from './line.ts';
import { type Storage, startNginx } from './nginx.ts';

export type Service = {
  readonly sandbox: Sandbox;
  /** The access token of a separate session, for contenders other than the app. */
  readonly accessToken: string;
  /** The certificate to trust, in addition to the usual authorities. */
  readonly caFile?: string;
  /** Returns an assignment without files. */
  readonly newAssignment: () => string;
};

/** Runs `work` in a temporary directory, which is removed even if the process is terminated. */
export const inDirectory = async <T>(work: (dir: string) => Promise<T>): Promise<T> => {
  const dir = mkdtempSync(join(tmpdir(), 'desk-engine-bench-'));
  const remove = (): void => rmSync(dir, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    return await work(dir);
  } finally {
    process.off('exit', remove);
    remove();
  }
};

/** Runs `work` with a new sandbox, started with `flags`. */
export const withService = async <T>(flags: readonly string[], work: (service: Service) => Promise<T>): Promise<T> => {
  const sandbox = await spawnSandbox(...flags);
  try {
    const { access_token: accessToken } = await signIn(sandbox);
    const assignments = await assignmentIds(callWith(sandbox, accessToken));
    const newAssignment = (): string => {
      const assignment = assignments.pop();
      if (assignment === undefined) throw new Error('the sandbox has no more assignments');
      return assignment;
    };
    return await work({ sandbox, accessToken, newAssignment });
  } finally {
    await sandbox.close();
  }
};

/** Throws unless the sandbox's own storage has exactly `count` files on `assignment`. */
export const expectStored = async (control: SandboxControl, assignment: string, count: number): Promise<void> => {
  const stored = (await control.objects()).filter(({ AssignmentId }) => AssignmentId === assignment);
  if (stored.length !== count) throw new Error(`${stored.length} objects are stored`);
};

/** Runs `work` with a sandbox that signs and an nginx that stores below `dir`. */
export const withNginx = async <T>(dir: string, work: (service: Service, storage: Storage) => Promise<T>): Promise<T> =>
  onNginx(dir, (storage) => withService(['--storage-base-url', storage.baseUrl], (service) => work(service, storage)));

const onNginx = async <T>(dir: string, work: (storage: Storage) => Promise<T>): Promise<T> => {
  const folder = join(dir, 'nginx');
  mkdirSync(folder);
  const storage = await startNginx(folder);
  try {
    return await work(storage);
  } finally {
    await storage.close();
  }
};

/**
 * Runs `work` with a sandbox that signs and an nginx that stores below `dir`, both at the far end of a line. All
 * requests of `work` cross the line, except those of the sign-in.
 */
export const withLine = <T>(
  dir: string,
  spec: { readonly line: LineSpec; readonly isSecure?: boolean | undefined },
  work: (behind: { readonly service: Service; readonly storage: Storage; readonly line: Line }) => Promise<T>,
): Promise<T> =>
  onNginx(dir, (storage) =>
    behindLine(dir, spec, storage, ({ storageUrl, ...behind }) =>
      work({ ...behind, storage: { ...storage, baseUrl: storageUrl } }),
    ),
  );

/**
 * Runs `work` with a sandbox that signs and the storage at `baseUrl`, both at the far end of a line. `storageUrl`: the
 * storage's address over the line.
 */
export const behindLine = async <T>(
  dir: string,
  { line: spec, isSecure = false }: { readonly line: LineSpec; readonly isSecure?: boolean | undefined },
  { baseUrl }: Pick<Storage, 'baseUrl'>,
  work: (behind: { readonly service: Service; readonly storageUrl: string; readonly line: Line }) => Promise<T>,
): Promise<T> => {
  const line = await startLine(spec);
  const certificate = isSecure ? makeCertificate(dir) : undefined;
  const overLine = async (url: string): Promise<string> => {
    const port = await line.to({ port: Number(new URL(url).port), ...(certificate && { tls: certificate.tls }) });
    return `${certificate ? 'https' : 'http'}://127.0.0.1:${port}`;
  };
  try {
    const storageUrl = await overLine(baseUrl);
    return await withService(['--storage-base-url', storageUrl], async (service) => {
      const sandbox = { ...service.sandbox, baseUrl: await overLine(service.sandbox.baseUrl) };
      const secured = { ...service, sandbox, ...(certificate && { caFile: certificate.file }) };
      return work({ service: secured, storageUrl, line });
    });
  } finally {
    await line.close();
  }
};
