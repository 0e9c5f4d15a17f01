/** The keychain of the system. */
import { DeskError } from '../../contract/errors.ts';
import { orCancelled } from '../async/cancel.ts';

/** The operating system's secret store, with keytar's functions. Every function rejects with DeskError `keychain/unavailable` if there is none. */
export type Keychain = {
  readonly get: (account: string) => Promise<string | null>;
  readonly set: (account: string, secret: string) => Promise<void>;
  readonly delete: (account: string) => Promise<void>;
};

// The keychain of the operating system: Credential Manager, Keychain, or the Secret Service of a Linux desktop.

const service = 'com.inspectiondesk.app';

/**
 * Long enough for a user to respond when macOS or Linux asks for access or to unlock the keychain. A Secret
 * Service can hang forever if there is no screen to show its prompt on.
 */
const defaultTimeoutMs = 60_000;

/** The functions of keytar that the app uses. */
type Keytar = Pick<typeof import('keytar'), 'getPassword' | 'setPassword' | 'deletePassword'>;

type KeytarOptions = {
  readonly timeoutMs?: number;
  /** Loads keytar on first use, because its native part fails to load without libsecret. */
  readonly load?: () => Promise<Keytar>;
};

/**
 * The keychain by keytar. Every function rejects with DeskError `keychain/unavailable`, details `reason`: `missing`
 * (not installed), `refused` or `timeout`.
 */
export const createKeytarKeychain = ({
  timeoutMs = defaultTimeoutMs,
  load = importKeytar,
}: KeytarOptions = {}): Keychain => {
  const ask = async <T>(question: (keytar: Keytar) => Promise<T>): Promise<T> => {
    const keytar = await load().catch(unavailable('missing'));
    const answer = question(keytar).catch(unavailable('refused'));
    return orCancelled(answer, AbortSignal.timeout(timeoutMs)).catch(unavailable('timeout'));
  };
  return {
    get: (account) => ask((keytar) => keytar.getPassword(service, account)),
    set: (account, secret) => ask((keytar) => keytar.setPassword(service, account, secret)),
    delete: async (account) => {
      await ask((keytar) => keytar.deletePassword(service, account));
    },
  };
};

/** keytar is CommonJS: its functions are on the default export. */
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
