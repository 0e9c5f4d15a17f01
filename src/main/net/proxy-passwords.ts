/** The passwords of proxies: asked for once, kept in the keychain, and never sent again once they were rejected. */
import { z } from 'zod';
import type { WantedPassword } from '../../contract/proxy-password.ts';
import type { ProxyLogin } from './proxy.ts';

/** The keychain's functions that are needed. */
type Secrets = {
  readonly get: (account: string) => Promise<string | null>;
  readonly set: (account: string, secret: string) => Promise<void>;
};

export type ProxyPasswords = {
  /** What the proxy is given at once: the password that it has accepted before, or that of its address. */
  readonly known: (proxy: string, ofAddress: ProxyLogin | undefined) => ProxyLogin | undefined;
  /** Whether the proxy has rejected a password since a person last entered one. */
  readonly wasRejected: (proxy: string) => boolean;
  /** Whether the proxy has rejected this password since a person last entered one. */
  readonly isRejected: (proxy: string, login: ProxyLogin) => boolean;
  /** The proxy has rejected it. */
  readonly reject: (proxy: string, login: ProxyLogin) => void;
  /**
   * What to try after the proxy refused a connection without a password, or with the one that it `rejected`. Undefined:
   * nobody knows another one; `onWanted` is called.
   */
  readonly next: (proxy: string, rejected: ProxyLogin | undefined) => Promise<ProxyLogin | undefined>;
  /** A person has entered it. It stays in memory if there is no keychain. Errors: `keychain/unavailable`. */
  readonly enter: (proxy: string, login: ProxyLogin) => Promise<void>;
  /** A person does not want to enter any now: `onWanted` is not called for some minutes. */
  readonly dismiss: () => void;
  /** A person wants to try again. */
  readonly askAgain: () => void;
};

type ProxyPasswordsOptions = {
  /** Absent: passwords are forgotten with the process. */
  readonly keychain: Secrets | undefined;
  readonly onWanted: (wanted: WantedPassword) => void;
  readonly now?: () => number;
};

/** Uploads and offline data try again on their own all the time. */
const QUIET_MS = 10 * 60_000;

const Login = z.object({ user: z.string(), password: z.string() });

const accountOf = (proxy: string): string => `proxy ${proxy}`;

const isSame = (one: ProxyLogin | undefined, other: ProxyLogin | undefined): boolean =>
  one?.user === other?.user && one?.password === other?.password;

/** Reads nothing before a proxy requires a password: a keychain may ask the person. */
export const createProxyPasswords = ({ keychain, onWanted, now = Date.now }: ProxyPasswordsOptions): ProxyPasswords => {
  const accepted = new Map<string, ProxyLogin>();
  const rejections = new Map<string, readonly ProxyLogin[]>();
  let quietUntilMs = 0;

  const isRejected = (proxy: string, login: ProxyLogin): boolean =>
    rejections.get(proxy)?.some((one) => isSame(one, login)) ?? false;

  const reject = (proxy: string, login: ProxyLogin): void => {
    if (!isRejected(proxy, login)) rejections.set(proxy, [...(rejections.get(proxy) ?? []), login]);
    if (isSame(accepted.get(proxy), login)) accepted.delete(proxy);
  };

  const read = async (proxy: string): Promise<ProxyLogin | undefined> => {
    try {
      return Login.safeParse(JSON.parse((await keychain?.get(accountOf(proxy))) ?? 'null')).data;
    } catch {
      // Without a keychain, the person is asked.
      return undefined;
    }
  };

  return {
    known: (proxy, ofAddress) => {
      const login = accepted.get(proxy);
      if (login) return login;
      return ofAddress && !isRejected(proxy, ofAddress) ? ofAddress : undefined;
    },
    wasRejected: (proxy) => rejections.has(proxy),
    isRejected,
    reject,
    next: async (proxy, rejected) => {
      if (rejected) reject(proxy, rejected);
      const login = accepted.get(proxy) ?? (await read(proxy));
      if (login && !isRejected(proxy, login)) {
        accepted.set(proxy, login);
        return login;
      }
      if (now() >= quietUntilMs) onWanted({ proxy, wrong: rejections.has(proxy) });
      return undefined;
    },
    enter: async (proxy, login) => {
      // It may be right now: an account is locked and unlocked again.
      rejections.delete(proxy);
      accepted.set(proxy, login);
      await keychain?.set(accountOf(proxy), JSON.stringify(login));
    },
    dismiss: () => {
      quietUntilMs = now() + QUIET_MS;
    },
    askAgain: () => {
      quietUntilMs = 0;
    },
  };
};
