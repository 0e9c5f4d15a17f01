/**
 * The passwords of proxies: a user enters them and the keychain stores them, or they are part of the proxy's address. A
 * password that a proxy rejected is not sent again until a user enters one for that proxy.
 */

import { isEqual } from 'es-toolkit/predicate';
import { z } from 'zod';
import type { WantedPassword } from '../../contract/connection.ts';
import { DeskError } from '../../contract/errors.ts';
import { steadyNow } from '../async/clock.ts';
import { type ProxyLogin, type ProxyServer, proxyName } from './proxy.ts';
import { jsonIn } from './translate.ts';
import { wantsPassword } from './tunnel.ts';

/** The functions of the keychain that are used here. */
type Secrets = {
  readonly get: (account: string) => Promise<string | null>;
  readonly set: (account: string, secret: string) => Promise<void>;
};

export type ProxyPasswords = ReturnType<typeof createProxyPasswords>;

type NextLogin = ProxyLogin | 'missing' | 'wrong';

type ProxyPasswordsOptions = {
  /** Stores the passwords. Absent: they are lost when the process ends. */
  readonly keychain: Secrets | undefined;
  readonly onWanted: (wanted: WantedPassword) => void;
  readonly now?: () => number;
};

/**
 * How long `onWanted` is not called after `dismiss`: otherwise each retry of uploads and offline data would call it.
 */
const QUIET_MS = 10 * 60_000;

const Login = z.object({ user: z.string(), password: z.string() });

/**
 * The name under which trials record the system's account at a proxy for one scheme. It differs from the proxy's own
 * name, because users enter no password for this account.
 */
export const systemAccountAt = (proxy: ProxyServer, scheme: string): string => `${scheme} ${proxyName(proxy)}`;
const isSystemAccount = (name: string): boolean => name.includes(' ');

const accountOf = (proxy: string): string => `proxy ${proxy}`;

/**
 * Creates the passwords of all proxies. Reads the keychain only once a proxy requires a password, because the keychain
 * may prompt the user.
 */
export const createProxyPasswords = ({ keychain, onWanted, now = steadyNow }: ProxyPasswordsOptions) => {
  const given = new Map<string, ProxyLogin>();
  /** The logins that users entered. Without a keychain, they are stored only here. */
  const entered = new Map<string, ProxyLogin>();
  const rejections = new Map<string, readonly ProxyLogin[]>();
  let quietUntilMs = 0;

  /** Whether the proxy has rejected this password since a user last entered one. */
  const isRejected = (proxy: string, login: ProxyLogin): boolean =>
    rejections.get(proxy)?.some((one) => isEqual(one, login)) ?? false;

  const reject = (proxy: string, login: ProxyLogin): void => {
    if (!isRejected(proxy, login)) rejections.set(proxy, [...(rejections.get(proxy) ?? []), login]);
    if (isEqual(given.get(proxy), login)) given.delete(proxy);
  };

  /** Allows the account of the system to be tried again: it may be a different one, or have a new password. */
  const forgiveSystem = (): void => {
    for (const of of rejections.keys()) if (isSystemAccount(of)) rejections.delete(of);
  };

  const read = async (proxy: string): Promise<ProxyLogin | undefined> => {
    // If the keychain cannot be read, the user has to enter the password.
    const stored = await keychain?.get(accountOf(proxy)).catch(() => null);
    return Login.safeParse(jsonIn(stored ?? '')).data;
  };

  return {
    /**
     * The login to send before the proxy requests one: the last one tried or entered, unless it was rejected or
     * withheld.
     */
    known: (proxy: string): ProxyLogin | undefined => given.get(proxy),
    isRejected,
    reject,
    /**
     * To be called when the proxy no longer accepts passwords, for example because another proxy now has its name. The
     * proxy gets no password until it requests one.
     */
    withhold: (proxy: string): void => void given.delete(proxy),
    /**
     * To be called when the network has changed. No proxy gets a password until it requests one, and the account of the
     * system may be tried again.
     */
    withholdAll: (): void => {
      given.clear();
      forgiveSystem();
    },
    /**
     * The login to try after the proxy requested one, or rejected `rejected`. `ofAddress`: the login in the proxy's
     * address. If there is none, resolves to `wrong` if the proxy has rejected one, otherwise to `missing`, and calls
     * `onWanted` unless `dismiss` was called less than ten minutes before.
     */
    next: async (
      proxy: string,
      rejected: ProxyLogin | undefined,
      ofAddress?: ProxyLogin | undefined,
    ): Promise<NextLogin> => {
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
    /**
     * Stores a login that a user entered. It is in memory even if there is no keychain. Errors: `keychain/unavailable`.
     */
    enter: async (proxy: string, login: ProxyLogin): Promise<void> => {
      // A rejected password may have become valid: an account that was locked is unlocked again.
      rejections.delete(proxy);
      given.set(proxy, login);
      entered.set(proxy, login);
      await keychain?.set(accountOf(proxy), JSON.stringify(login));
    },
    /** To be called when the user does not want to enter a password now: `onWanted` is not called for some minutes. */
    dismiss: (): void => {
      quietUntilMs = now() + QUIET_MS;
    },
    /**
     * To be called when the user wants to try again: `onWanted` may be called, and the account of the system tried,
     * again.
     */
    askAgain: (): void => {
      quietUntilMs = 0;
      forgiveSystem();
    },
  };
};

// The first use of a proxy's password: one connection of the whole app tries it while the others wait. If it is wrong,
// concurrent attempts could lock the account.

/** A login at a proxy. `proxy`: its name, or that of the system's account there (`systemAccountAt`). */
export type LoginTrial = { readonly proxy: string; readonly login: ProxyLogin };

/** Coordinates the first use of passwords; shared by main and all workers. */
export type LoginTrials = {
  /** Waits while another connection tries the password. `first`: the caller is to try it, and then to call `settle`. */
  readonly begin: (trial: LoginTrial) => Promise<'accepted' | 'rejected' | 'first'>;
  readonly settle: (trial: LoginTrial, outcome: TrialOutcome) => void;
};

/**
 * The outcome of a trial. `unwanted`: the proxy accepts no passwords. `unknown`: the attempt ended without a verdict
 * about the password.
 */
type TrialOutcome = 'accepted' | 'rejected' | 'unwanted' | 'unknown';

/** Whether `error` says that a proxy requires a password, or a different one. */
export const isPasswordWanted = (error: unknown): boolean =>
  error instanceof DeskError && /^network\/proxy-password/.test(error.code);

const keyOf = ({ proxy, login }: LoginTrial): string => JSON.stringify([proxy, login.user, login.password]);

export const createLoginTrials = (
  passwords: Pick<ProxyPasswords, 'isRejected' | 'reject' | 'withhold'>,
): LoginTrials => {
  const accepted = new Set<string>();
  const running = new Map<string, PromiseWithResolvers<void>>();
  return {
    begin: async (trial) => {
      const key = keyOf(trial);
      for (let present = running.get(key); present; present = running.get(key)) await present.promise;
      if (passwords.isRejected(trial.proxy, trial.login)) return 'rejected';
      if (accepted.has(key)) return 'accepted';
      running.set(key, Promise.withResolvers());
      return 'first';
    },
    settle: (trial, outcome) => {
      const key = keyOf(trial);
      if (outcome === 'accepted') accepted.add(key);
      if (outcome === 'rejected') {
        accepted.delete(key);
        passwords.reject(trial.proxy, trial.login);
      }
      if (outcome === 'unwanted') passwords.withhold(trial.proxy);
      running.get(key)?.resolve();
      running.delete(key);
    },
  };
};

/** Wraps `trials` for a worker that may exit. `end` releases the trials that the worker has not settled. */
export const trialsOfWorker = (trials: LoginTrials): LoginTrials & { readonly end: () => void } => {
  const begun = new Map<string, LoginTrial>();
  let hasEnded = false;
  return {
    begin: async (trial) => {
      const verdict = await trials.begin(trial);
      if (verdict !== 'first') return verdict;
      begun.set(keyOf(trial), trial);
      // The worker exited during the wait, so it will not settle this trial.
      if (hasEnded) trials.settle(trial, 'unknown');
      return verdict;
    },
    settle: (trial, outcome) => {
      begun.delete(keyOf(trial));
      trials.settle(trial, outcome);
    },
    end: () => {
      hasEnded = true;
      for (const trial of begun.values()) trials.settle(trial, 'unknown');
    },
  };
};

/** Where the passwords of proxies come from, and who tries them first. */
export type LoginSource = {
  /** Calls `ProxyPasswords.next` with the login in the proxy's address. */
  readonly nextLogin: (proxy: string, rejected: ProxyLogin | undefined) => Promise<NextLogin>;
  readonly trials: LoginTrials;
};

/**
 * Calls `open` with the login of `proxy`, or without one, and then with one login after another as long as `open`
 * rejects because the proxy requires a password.
 * @throws DeskError `network/proxy-password` if no login is known, `network/proxy-password-wrong` if all were rejected;
 *   the other errors of `open`
 */
export const withLogins = async <T>(
  { nextLogin, trials }: LoginSource,
  proxy: ProxyServer,
  open: (login: ProxyLogin | undefined) => Promise<T>,
): Promise<T> => {
  const name = proxyName(proxy);
  let { login } = proxy;
  for (;;) {
    try {
      const used = login;
      return await (used ? tryLogin(trials, proxy, { proxy: name, login: used }, () => open(used)) : open(used));
    } catch (error) {
      if (!isPasswordWanted(error)) throw error;
      const next = await nextLogin(name, login);
      if (typeof next === 'string') throw wantsPassword(proxy, next === 'wrong');
      login = next;
    }
  }
};

/**
 * Calls `open`, which sends the login of `trial` to `proxy`, once no other connection is trying that login.
 * @throws DeskError `network/proxy-password-wrong` without calling `open`, if the login was already rejected
 */
export const tryLogin = async <T>(
  trials: LoginTrials,
  proxy: ProxyServer,
  trial: LoginTrial,
  open: () => Promise<T>,
): Promise<T> => {
  const verdict = await trials.begin(trial);
  if (verdict === 'rejected') throw wantsPassword(proxy, true);
  try {
    const opened = await open();
    if (verdict === 'first') trials.settle(trial, 'accepted');
    return opened;
  } catch (error) {
    const outcome = outcomeOf(error);
    if (verdict === 'first' || outcome !== 'unknown') trials.settle(trial, outcome);
    throw error;
  }
};

const outcomeOf = (error: unknown): TrialOutcome => {
  if (isPasswordWanted(error)) return 'rejected';
  return error instanceof DeskError && error.code === 'network/proxy-scheme' ? 'unwanted' : 'unknown';
};
