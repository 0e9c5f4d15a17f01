/** The first use of a proxy's password: one connection tries it, the others wait. All at once would lock the account if it is wrong. */
import { DeskError } from '../../contract/errors.ts';
import { type ProxyServer, proxyName } from './proxy.ts';

/** Opens a connection through `proxy`, which may wait for another one with the same password and share its rejection. */
export type LoginTrials = <T>(proxy: ProxyServer, open: () => Promise<T>) => Promise<T>;

/** Whether a proxy wants a password that it was not given. */
export const isPasswordWanted = (error: unknown): boolean =>
  error instanceof DeskError && /^network\/proxy-password/.test(error.code);

/** No password has been tried yet. */
export const createLoginTrials = (): LoginTrials => {
  const accepted = new Set<string>();
  const running = new Map<string, Promise<unknown>>();
  return async (proxy, open) => {
    const { login } = proxy;
    if (!login) return open();
    const key = JSON.stringify([proxyName(proxy), login.user, login.password]);
    const first = running.get(key);
    if (first) {
      const failure: unknown = await first.then(
        () => undefined,
        (error: unknown) => error,
      );
      if (isPasswordWanted(failure)) throw failure;
    }
    if (first || accepted.has(key)) return open();
    const trial = open();
    running.set(key, trial);
    try {
      const opened = await trial;
      accepted.add(key);
      return opened;
    } finally {
      running.delete(key);
    }
  };
};
