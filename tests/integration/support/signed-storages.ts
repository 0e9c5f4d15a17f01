/**
 * Storages of every kind behind faulty lines. Each has a signer that shares no code with the check of its signatures.
 */
import { DeskError } from '../../../src/contract/errors.ts';
import type { RemovalRequest, UploadService } from '../../../src/main/uploads/transfer/transfer-context.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/server.ts';
import type { StorageError } from '../../../src/sandbox/storage/kind.ts';
import { anyAssignmentId, callWith, sign, signIn } from '../../../src/sandbox/testing/client.ts';
import { createSandboxControl } from '../../../src/sandbox/testing/control-client.ts';
import { documentedErrors } from '../../storages/documented-errors.ts';
import { createAccount, createStorage, type StorageDialect } from '../../storages/kinds.ts';
import { awsSigner, googleSigner } from '../../storages/signers.ts';
import { errorOf, type StorageErrors } from '../../storages/test-storage.ts';
import type { Azurite } from './azurite.ts';
import { type FaultyLine, startFaultyLine } from './faulty-line.ts';
import { sha256 } from './folders.ts';

/** How a URL is signed. The times are in ms since 1970. */
export type Signature = {
  readonly atMs: number;
  readonly endMs: number;
  /** Headers that are signed in addition to the host. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The permissions of a SAS. */
  readonly permissions?: string;
};

export type SignedStorage = {
  readonly line: FaultyLine;
  /** The documented errors, by code. */
  readonly errors: StorageErrors;
  readonly expired: StorageError;
  /** Resolves to a new Key and the signer of its URLs. */
  readonly newKey: (
    fileName: string,
  ) => Promise<{ readonly key: string; readonly sign: (how: Signature) => Promise<string> }>;
  readonly removeFile: (request: RemovalRequest) => ReturnType<UploadService['removeFile']>;
  /** Resolves to the sha256 of the objects under these Keys, by Key. Keys without an object are left out. */
  readonly held: (keys: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  readonly close: () => Promise<void>;
};

const notFound = (): DeskError => new DeskError('service/not-found', 'no such file');

/**
 * Starts a sandbox with a storage of this kind. `origin`: the origin of its URLs; `mostBytes`: the maximum size of an
 * object.
 */
export const startSandboxStorage = async (
  dialect: StorageDialect,
  origin: string,
  mostBytes: number,
): Promise<SignedStorage> => {
  const account = createAccount(dialect);
  const kind = createStorage(dialect, account);
  const sandbox: Sandbox = await startSandbox({
    consent: 'auto',
    protocols: 1,
    storage: kind,
    maxObjectBytes: mostBytes,
  });
  const line = await startFaultyLine(sandbox.port);
  const control = createSandboxControl(sandbox);
  const call = callWith(sandbox, (await signIn(sandbox)).access_token);
  const assignmentId = await anyAssignmentId(call);
  const client = dialect === 's3' ? awsSigner(account) : dialect === 'google' ? googleSigner(account) : undefined;
  return {
    line,
    errors: documentedErrors(dialect),
    expired: kind.expired(Date.now()),
    newKey: async (fileName) => {
      const { Key } = await sign(call, assignmentId, fileName);
      const path = `/storage/${Key}`;
      return {
        key: Key,
        sign: async ({ atMs, endMs, headers = {} }) => {
          // A URL that has expired is signed by the storage itself, because Google's client refuses to sign one.
          if (client && endMs > Date.now())
            return client({ origin, path, atMs, lifetimeS: Math.round((endMs - atMs) / 1000), headers });
          return `${origin}${path}?${kind.sign({ host: new URL(origin).host, path, atMs, endMs })}`;
        },
      };
    },
    removeFile: async ({ Key }) => {
      const answer = await call('DELETE', `/contractor/assignments/${assignmentId}/files`, { Key });
      if (answer.status === 404) throw notFound();
      return undefined;
    },
    held: async (keys) => {
      const wanted = new Set(keys);
      const objects = (await control.objects()).filter(({ Key }) => wanted.has(Key));
      return new Map(objects.map((object) => [object.Key, object.sha256]));
    },
    close: async () => {
      await line.close();
      await sandbox.close();
    },
  };
};

/** Starts a line to Azurite, which checks the signatures of `azurite.ts`. */
export const startAzureStorage = async (azurite: Azurite): Promise<SignedStorage> => {
  const line = await startFaultyLine(Number(new URL(azurite.sign('any', { permissions: 'r' })).port));
  return {
    line,
    errors: documentedErrors('azure'),
    expired: errorOf(documentedErrors('azure'), 'AuthenticationFailed', {
      more: {
        AuthenticationErrorDetail:
          'Signature not valid in the specified time frame: Start [Mon, 05 Jan 2026 10:00:00 GMT] - Expiry [Mon, 05 Jan 2026 10:15:00 GMT] - Current [Mon, 05 Jan 2026 10:15:01 GMT]',
      },
    }),
    newKey: async (fileName) => {
      const key = `${fileName}-${crypto.randomUUID()}`;
      return {
        key,
        sign: async ({ atMs, endMs, permissions = 'w' }) => {
          const url = new URL(azurite.sign(key, { permissions, expiresMs: endMs, startsMs: atMs }));
          // In the emulator's URLs, the path begins with the account; in Azure's, the host does.
          return `https://${url.pathname.replace(/^\/(\w+)/, '$1.blob.core.windows.net')}${url.search}`;
        },
      };
    },
    removeFile: async ({ Key }) => {
      const { status } = await fetch(azurite.sign(Key, { permissions: 'd' }), { method: 'DELETE' });
      if (status === 404) throw notFound();
      return undefined;
    },
    held: async (keys) => {
      const contents = await Promise.all(keys.map(async (key) => [key, await azurite.read(key)] as const));
      return new Map(contents.flatMap(([key, content]) => (content ? [[key, sha256(content)] as const] : [])));
    },
    close: line.close,
  };
};
