/** The passwords of proxies: asked for once, kept in the keychain, and never sent again once they were rejected. */
import { z } from 'zod';
import type { WantedPassword } from '../../contract/connection.ts';
import { steadyNow } from '../async/clock.ts';
import type { ProxyLogin } from './proxy.ts';

/** The keychain's functions that are needed. */
type Secrets = {
  readonly get: (account: string) => Promise<string | null>;
  readonly set: (account: string, secret: string) => Promise<void>;
};

export type ProxyPasswords = {
  /** What is sent to the proxy without waiting for its request: what it was given when it last asked. */
  readonly known: (proxy: string) => ProxyLogin | undefined;
  /** Whether the proxy has rejected this password since a person last entered one. */
  readonly isRejected: (proxy: string, login: ProxyLogin) => boolean;
  /** The proxy has rejected it. */
  readonly reject: (proxy: string, login: ProxyLogin) => void;
  /** The proxy no longer accepts passwords, or may be another one of that name: it gets none before it asks for one again. */
  readonly withhold: (proxy: string) => void;
  /** The network has changed: every proxy has to ask again. */
  readonly withholdAll: () => void;
  /**
   * What to try after the proxy asked for a password, or `rejected` one. `ofAddress`: the one in its address. `missing`,
   * `wrong`: nobody knows one, or another one; `onWanted` is called.
   */
  readonly next: (
    proxy: string,
    rejected: ProxyLogin | undefined,
    ofAddress?: ProxyLogin | undefined,
  ) => Promise<NextLogin>;
  /** A person has entered it. It stays in memory if there is no keychain. Errors: `keychain/unavailable`. */
  readonly enter: (proxy: string, login: ProxyLogin) => Promise<void>;
  /** A person does not want to enter any now: `onWanted` is not called for some minutes. */
  readonly dismiss: () => void;
  /** A person wants to try again. */
  readonly askAgain: () => void;
};

export type NextLogin = ProxyLogin | 'missing' | 'wrong';

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
export const createProxyPasswords = ({
  keychain,
  onWanted,
  now = steadyNow,
}: ProxyPasswordsOptions): ProxyPasswords => {
  const given = new Map<string, ProxyLogin>();
  /** Entered by a person; without a keychain, only here. */
  const entered = new Map<string, ProxyLogin>();
  const rejections = new Map<string, readonly ProxyLogin[]>();
  let quietUntilMs = 0;

  const isRejected = (proxy: string, login: ProxyLogin): boolean =>
    rejections.get(proxy)?.some((one) => isSame(one, login)) ?? false;

  const reject = (proxy: string, login: ProxyLogin): void => {
    if (!isRejected(proxy, login)) rejections.set(proxy, [...(rejections.get(proxy) ?? []), login]);
    if (isSame(given.get(proxy), login)) given.delete(proxy);
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
    known: (proxy) => given.get(proxy),
    isRejected,
    reject,
    withhold: (proxy) => void given.delete(proxy),
    withholdAll: () => given.clear(),
    next: async (proxy, rejected, ofAddress) => {
      if (rejected) reject(proxy, rejected);
      const usable = (login: ProxyLogin | undefined) => (login && !isRejected(proxy, login) ? login : undefined);
      const login = given.get(proxy) ?? usable(entered.get(proxy)) ?? usable(ofAddress) ?? usable(await read(proxy));
      if (login) {
        given.set(proxy, login);
        return login;
      }
      const wrong = rejections.has(proxy);
      if (now() >= quietUntilMs) onWanted({ proxy, wrong });
      return wrong ? 'wrong' : 'missing';
    },
    enter: async (proxy, login) => {
      // It may be right now: an account is locked and unlocked again.
      rejections.delete(proxy);
      given.set(proxy, login);
      entered.set(proxy, login);
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
