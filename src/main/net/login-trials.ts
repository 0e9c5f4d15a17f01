/**
 * The first use of a proxy's password: one connection of the whole app tries it, the others wait. All at once would lock the
 * account if it is wrong.
 */
import { DeskError } from '../../contract/errors.ts';
import { type ProxyLogin, type ProxyServer, proxyName } from './proxy.ts';
import type { ProxyPasswords } from './proxy-passwords.ts';
import { wantsPassword } from './tunnel.ts';

/** A password for the proxy with this name. */
export type LoginTrial = { readonly proxy: string; readonly login: ProxyLogin };

/** Every thread asks the same one. */
export type LoginTrials = {
  /**
   * Waits while another connection tries the password. `first`: this connection is to try it, and then to call `settle`.
   */
  readonly begin: (trial: LoginTrial) => Promise<'accepted' | 'rejected' | 'first'>;
  readonly settle: (trial: LoginTrial, outcome: TrialOutcome) => void;
};

/** `unwanted`: the proxy accepts no passwords. `unknown`: it did not respond. */
export type TrialOutcome = 'accepted' | 'rejected' | 'unwanted' | 'unknown';

/** Whether a proxy wants a password that it was not given. */
export const isPasswordWanted = (error: unknown): boolean =>
  error instanceof DeskError && /^network\/proxy-password/.test(error.code);

const keyOf = ({ proxy, login }: LoginTrial): string => JSON.stringify([proxy, login.user, login.password]);

/** No password has been tried yet. */
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

/** The same trials for a thread that may die: `end` gives up those that it has not settled. */
export const trialsOfThread = (trials: LoginTrials): LoginTrials & { readonly end: () => void } => {
  const begun = new Map<string, LoginTrial>();
  let hasEnded = false;
  return {
    begin: async (trial) => {
      const verdict = await trials.begin(trial);
      if (verdict !== 'first') return verdict;
      begun.set(keyOf(trial), trial);
      // It died while it waited, and tries nothing any more.
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

/**
 * Opens a connection through `proxy`.
 * @throws DeskError `network/proxy-password-wrong` without asking the proxy, if it has rejected this password meanwhile
 */
export const tryLogin = async <T>(trials: LoginTrials, proxy: ProxyServer, open: () => Promise<T>): Promise<T> => {
  const { login } = proxy;
  if (!login) return open();
  const trial = { proxy: proxyName(proxy), login };
  const verdict = await trials.begin(trial);
  if (verdict === 'rejected') throw wantsPassword(proxy);
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
