import { DeskError } from '../../contract/errors.ts';
import { orCancelled } from '../async/cancel.ts';

/**
 * A store for secrets. `get` resolves to null if the account has no secret. Each function rejects with DeskError
 * `keychain/unavailable` if the store is missing, refuses or does not respond.
 */
export type Keychain = {
  readonly get: (account: string) => Promise<string | null>;
  readonly set: (account: string, secret: string) => Promise<void>;
  readonly delete: (account: string) => Promise<void>;
};

// The keychain of the operating system: Credential Manager on Windows, Keychain on macOS, the Secret Service on Linux.

const service = 'com.inspectiondesk.app';

/**
 * The timeout of a call, long enough for a user to respond to a prompt of macOS or Linux. Without a timeout, a call
 * could hang forever: a Secret Service without a screen cannot show its prompt.
 */
const defaultTimeoutMs = 60_000;

type Keytar = Pick<typeof import('keytar'), 'getPassword' | 'setPassword' | 'deletePassword'>;

type KeytarOptions = {
  readonly timeoutMs?: number;
  /** Loads keytar, which is not imported at the start, because its native part cannot be loaded without libsecret. */
  readonly load?: () => Promise<Keytar>;
};

/**
 * Creates a keychain that uses keytar. Its errors have the detail `reason`: `missing` (keytar cannot be loaded),
 * `refused` (keytar reports an error) or `timeout`.
 */
export const createKeytarKeychain = ({
  timeoutMs = defaultTimeoutMs,
  load = importKeytar,
}: KeytarOptions = {}): Keychain => {
  const ask = async <T>(question: (keytar: Keytar) => Promise<T>): Promise<T> => {
    const keytar = await load().catch(unavailable('missing'));
    const response = question(keytar).catch(unavailable('refused'));
    return orCancelled(response, AbortSignal.timeout(timeoutMs)).catch(unavailable('timeout'));
  };
  return {
    get: (account) => ask((keytar) => keytar.getPassword(service, account)),
    set: (account, secret) => ask((keytar) => keytar.setPassword(service, account, secret)),
    delete: async (account) => {
      await ask((keytar) => keytar.deletePassword(service, account));
    },
  };
};

/** keytar is CommonJS, so its functions are on the default export. */
const importKeytar = async (): Promise<Keytar> => (await import('keytar')).default;

const unavailable =
  (reason: 'missing' | 'refused' | 'timeout') =>
  (cause: unknown): never => {
    if (cause instanceof DeskError && cause.code === 'keychain/unavailable') throw cause;
    throw new DeskError('keychain/unavailable', `the keychain is not available (${reason})`, {
      details: { reason },
      cause,
    });
  };
