/**
 * The passwords of proxies. A user enters a password and the keychain stores it, or the proxy's address contains it. A
 * password that a proxy rejected is not sent again until a user enters a password for that proxy. A stored one is not
 * sent by other processes either, such as scheduled commands.
 */

import { z } from 'zod';
import type { WantedPassword } from '../../contract/connection.ts';
import { DeskError } from '../../contract/errors.ts';
import { steadyNow } from '../async/clock.ts';
import { type ProxyLogin, type ProxyServer, proxyName } from './proxy.ts';
import { jsonIn } from './translate.ts';
import { wantsPassword } from './tunnel.ts';

type Secrets = {
  readonly get: (account: string) => Promise<string | null>;
  readonly set: (account: string, secret: string) => Promise<void>;
};

export type ProxyPasswords = ReturnType<typeof createProxyPasswords>;

type NextLogin = ProxyLogin | 'missing' | 'wrong';

type ProxyPasswordsOptions = {
  /** Stores the passwords. Absent: they are lost when the app ends. */
  readonly keychain: Secrets | undefined;
  readonly onWanted: (wanted: WantedPassword) => void;
  readonly now?: () => number;
};

/**
 * How long `onWanted` is not called after `dismiss`, unless `askAgain` is called. Without this limit, each retry of
 * uploads and offline data would call it.
 */
const QUIET_MS = 10 * 60_000;

const StoredLogin = z.object({
  user: z.string(),
  password: z.string(),
  inClear: z.boolean().optional(),
  rejected: z.literal(true).optional(),
});

/**
 * Returns the name of the system's account at a proxy, for one scheme, as used in trials (`LoginTrial`). It differs
 * from the proxy's own name, because users enter no password for this account.
 */
export const systemAccountAt = (proxy: ProxyServer, scheme: string): string => `${scheme} ${proxyName(proxy)}`;
const isSystemAccount = (name: string): boolean => name.includes(' ');

const accountOf = (proxy: string): string => `proxy ${proxy}`;

/**
 * Creates the store of the passwords of all proxies. It does not read the keychain before a proxy requires a password,
 * because the keychain may prompt the user.
 */
export const createProxyPasswords = ({ keychain, onWanted, now = steadyNow }: ProxyPasswordsOptions) => {
  const given = new Map<string, ProxyLogin>();
  const entered = new Map<string, ProxyLogin>();
  const rejections = new Map<string, Set<string>>();
  let quietUntilMs = 0;

  const isRejected = (proxy: string, login: ProxyLogin): boolean =>
    rejections.get(proxy)?.has(keyOf({ proxy, login })) ?? false;

  const reject = (trial: LoginTrial): void =>
    void rejections.set(trial.proxy, (rejections.get(trial.proxy) ?? new Set()).add(keyOf(trial)));

  const settle = (trial: LoginTrial, outcome: TrialOutcome): void => {
    const { proxy } = trial;
    if (outcome === 'rejected') reject(trial);
    const login = given.get(proxy);
    if (outcome === 'unwanted' || (login && isRejected(proxy, login))) given.delete(proxy);
  };

  /** Lets the account of the system be tried again: it may be another account now, or have a new password. */
  const forgiveSystem = (): void => {
    for (const of of rejections.keys()) if (isSystemAccount(of)) rejections.delete(of);
  };

  const store = (proxy: string, login: z.infer<typeof StoredLogin>): Promise<void> | undefined =>
    keychain?.set(accountOf(proxy), JSON.stringify(login));

  const read = async (proxy: string): Promise<ProxyLogin | undefined> => {
    // If the keychain cannot be read, the user has to enter the password.
    const secret = await keychain?.get(accountOf(proxy)).catch(() => null);
    const stored = StoredLogin.safeParse(jsonIn(secret ?? '')).data;
    if (!stored) return undefined;
    const { rejected, ...login } = stored;
    if (rejected) reject({ proxy, login });
    else if (isRejected(proxy, login)) await store(proxy, { ...login, rejected: true })?.catch(() => {});
    return login;
  };

  return {
    /**
     * Returns the login to send before the proxy requests one: the login that was last tried or entered, unless it was
     * rejected or withheld.
     */
    known: (proxy: string): ProxyLogin | undefined => given.get(proxy),
    isRejected,
    trials: createLoginTrials(isRejected, settle),
    /**
     * Withholds each login until a proxy requests it, and lets the account of the system be tried again. To be called
     * when the network has changed.
     */
    withholdAll: (): void => {
      given.clear();
      forgiveSystem();
    },
    /**
     * Returns the login to try after the proxy requested a login. `inClear`: whether the proxy would receive it
     * unencrypted; `ofAddress`: the login in the proxy's address. Without a login to try, resolves to `wrong` if the
     * proxy has rejected one, otherwise to `missing`. In both cases, also calls `onWanted`, except in the ten minutes
     * after `dismiss`.
     */
    next: async (proxy: string, inClear: boolean, ofAddress?: ProxyLogin | undefined): Promise<NextLogin> => {
      const usable = (login: ProxyLogin | undefined) =>
        login && !isRejected(proxy, login) ? sendable(login, inClear) : undefined;
      const present = usable(given.get(proxy)) ?? usable(entered.get(proxy)) ?? usable(ofAddress);
      const login = present ?? usable(await read(proxy));
      if (login) {
        given.set(proxy, login);
        return login;
      }
      const wrong = rejections.has(proxy);
      if (now() >= quietUntilMs) onWanted({ proxy, wrong, inClear });
      return wrong ? 'wrong' : 'missing';
    },
    /**
     * Stores a login that a user entered, in memory and in the keychain. Errors: `keychain/unavailable`; the login is
     * then only in memory.
     */
    enter: async (proxy: string, login: ProxyLogin): Promise<void> => {
      // A rejected password can become valid, for example when a locked account is unlocked.
      rejections.delete(proxy);
      given.set(proxy, login);
      entered.set(proxy, login);
      await store(proxy, login);
    },
    /** Stops calls of `onWanted` for ten minutes. To be called when the user does not want to enter a password now. */
    dismiss: (): void => {
      quietUntilMs = now() + QUIET_MS;
    },
    /**
     * Allows calls of `onWanted`, and lets the account of the system be tried again. To be called when the user wants
     * to try again.
     */
    askAgain: (): void => {
      quietUntilMs = 0;
      forgiveSystem();
    },
  };
};

// The first use of a proxy's password. One connection of the whole app tries the password, and the others wait.
// Otherwise several attempts with a wrong password could lock the account.

/** A login at a proxy. `proxy`: the name of the proxy, or of the system's account at the proxy (`systemAccountAt`). */
type LoginTrial = { readonly proxy: string; readonly login: ProxyLogin };

/** Coordinates the first use of passwords in main and all workers. */
export type LoginTrials = {
  /**
   * Waits while another connection tries the password. If the result is `first`, the caller has to try the password and
   * call `settle`.
   */
  readonly begin: (trial: LoginTrial) => Promise<'accepted' | 'rejected' | 'first'>;
  readonly settle: (trial: LoginTrial, outcome: TrialOutcome) => void;
};

/**
 * The outcome of a trial. `unwanted`: the proxy accepts no passwords, for example because another proxy now has its
 * name; `unknown`: the attempt did not show whether the password is right.
 */
type TrialOutcome = 'accepted' | 'rejected' | 'unwanted' | 'unknown';

/** Whether `error` says that a proxy requires a password, or another password. */
export const isPasswordWanted = (error: unknown): boolean =>
  error instanceof DeskError && /^network\/proxy-password/.test(error.code);

const keyOf = ({ proxy, login }: LoginTrial): string => JSON.stringify([proxy, login.user, login.password]);

const createLoginTrials = (
  isRejected: (proxy: string, login: ProxyLogin) => boolean,
  onSettled: (trial: LoginTrial, outcome: TrialOutcome) => void,
): LoginTrials => {
  const accepted = new Set<string>();
  const running = new Map<string, PromiseWithResolvers<void>>();
  return {
    begin: async (trial) => {
      const key = keyOf(trial);
      for (let present = running.get(key); present; present = running.get(key)) await present.promise;
      if (isRejected(trial.proxy, trial.login)) return 'rejected';
      if (accepted.has(key)) return 'accepted';
      running.set(key, Promise.withResolvers());
      return 'first';
    },
    settle: (trial, outcome) => {
      const key = keyOf(trial);
      if (outcome === 'accepted') accepted.add(key);
      if (outcome === 'rejected') accepted.delete(key);
      onSettled(trial, outcome);
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

/** Returns `login` unless it would be sent unencrypted (`inClear`) although the user did not enter it for that. */
const sendable = (login: ProxyLogin | undefined, inClear: boolean): ProxyLogin | undefined =>
  inClear && login?.inClear === false ? undefined : login;

export type LoginSource = {
  readonly nextLogin: (proxy: string, inClear: boolean) => Promise<NextLogin>;
  readonly trials: LoginTrials;
};

/**
 * Calls `open` with the login of `proxy`, or without a login. `inClear`: whether `open` sends it unencrypted. As long
 * as `open` rejects because the proxy requires a password, calls it again with the next login.
 * @throws DeskError `network/proxy-password` if no login is known, `network/proxy-password-wrong` if all were rejected;
 * the other errors of `open`
 */
export const withLogins = async <T>(
  { nextLogin, trials }: LoginSource,
  proxy: ProxyServer,
  inClear: boolean,
  open: (login: ProxyLogin | undefined) => Promise<T>,
): Promise<T> => {
  const name = proxyName(proxy);
  let login = sendable(proxy.login, inClear);
  for (;;) {
    try {
      const used = login;
      return await (used ? tryLogin(trials, proxy, { proxy: name, login: used }, () => open(used)) : open(used));
    } catch (error) {
      if (!isPasswordWanted(error)) throw error;
      const next = await nextLogin(name, inClear);
      if (typeof next === 'string') throw wantsPassword(proxy, next === 'wrong');
      login = next;
    }
  }
};

/**
 * Calls `open`, which sends the login of `trial` to `proxy`, once no other connection is trying that login.
 * @throws DeskError `network/proxy-password-wrong` without calling `open`, if the login was already rejected; the
 * errors of `open`
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
