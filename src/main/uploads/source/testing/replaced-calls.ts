/** For tests: functions of `node:fs/promises` that behave as on a drive that does not respond. */
import { promises } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { onTestFinished, vi } from 'vitest';

type Name = 'lstat' | 'open' | 'opendir' | 'realpath' | 'stat' | 'statfs';

/** Replaces functions of `node:fs/promises` until the test has ended. Returns the original ones. */
export const replaceCalls = (calls: Partial<Record<Name, unknown>>): Pick<typeof promises, Name> => {
  const before = { ...promises };
  const set = (to: object): void => {
    Object.assign(promises, to);
    syncBuiltinESMExports();
  };
  set(calls);
  onTestFinished(() => set(before));
  return before;
};

/** Until the test has ended, lets timeouts pass only as the test advances them. */
export const fakeTimeouts = (): void => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
};
