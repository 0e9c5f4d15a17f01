import { expect, test } from 'vitest';
import type { WantedPassword } from '../../contract/connection.ts';
import { createTestClock } from '../async/testing/clock.ts';
import { createProxyPasswords } from './proxy-passwords.ts';

const proxy = 'office.example:8080';
const right = { user: 'jo', password: 'right' };
const wrong = { user: 'jo', password: 'wrong' };

/** A keychain in memory, and what it was asked for. */
const useKeychain = (secrets = new Map<string, string>()) => {
  const reads: string[] = [];
  const keychain = {
    get: async (account: string) => {
      reads.push(account);
      return secrets.get(account) ?? null;
    },
    set: async (account: string, secret: string) => void secrets.set(account, secret),
  };
  return { keychain, reads, secrets };
};

const usePasswords = ({ keychain, reads, secrets } = useKeychain()) => {
  const clock = createTestClock();
  const asked: WantedPassword[] = [];
  const passwords = createProxyPasswords({ keychain, onWanted: (one) => asked.push(one), now: clock.now });
  return { ...passwords, asked, clock, reads, secrets };
};

test('a password is asked for once, and the keychain only when a proxy requires one', async () => {
  const { known, next, enter, asked, reads, secrets } = usePasswords();
  expect(known(proxy)).toBeUndefined();
  expect(reads).toEqual([]);
  expect(await next(proxy, undefined)).toBe('missing');
  expect(asked).toEqual([{ proxy, wrong: false }]);
  await enter(proxy, right);
  expect(known(proxy)).toEqual(right);

  const later = usePasswords(useKeychain(secrets));
  expect(await later.next(proxy, undefined)).toEqual(right);
  expect(later.known(proxy)).toEqual(right);
  expect(await later.next('other.example:1', undefined)).toBe('missing');
});

test('a rejected password is never sent again, wherever it came from, until a person enters it', async () => {
  const { known, next, enter, asked } = usePasswords();
  expect(await next(proxy, undefined, wrong)).toEqual(wrong);
  expect(await next(proxy, wrong, wrong)).toBe('wrong');
  expect(asked).toEqual([{ proxy, wrong: true }]);
  expect(known(proxy)).toBeUndefined();
  await enter(proxy, wrong);
  expect(await next(proxy, wrong)).toBe('wrong');
  expect(known(proxy)).toBeUndefined();
  // Another connection was refused with the old one meanwhile.
  await enter(proxy, right);
  expect(await next(proxy, wrong)).toEqual(right);
  expect(asked).toHaveLength(2);
});

test('B13: the password of an address is known only once the proxy has asked, and not after it stopped asking', async () => {
  const { known, next, withhold } = usePasswords();
  expect(known(proxy)).toBeUndefined();
  expect(await next(proxy, undefined, right)).toEqual(right);
  expect(known(proxy)).toEqual(right);
  withhold(proxy);
  expect(known(proxy)).toBeUndefined();
  expect(await next(proxy, undefined, right)).toEqual(right);
});

test('a person who dismissed the question is left in peace for a while', async () => {
  const { next, dismiss, askAgain, asked, clock } = usePasswords();
  dismiss();
  await next(proxy, undefined);
  expect(asked).toEqual([]);
  clock.advance(10 * 60_000);
  await next(proxy, undefined);
  dismiss();
  askAgain();
  await next(proxy, undefined);
  expect(asked).toHaveLength(2);
});

test('without a keychain, passwords last as long as the process', async () => {
  const passwords = createProxyPasswords({ keychain: undefined, onWanted: () => {} });
  await passwords.enter(proxy, right);
  expect(await passwords.next(proxy, undefined)).toEqual(right);
  // Another network has another proxy of that name, perhaps.
  passwords.withholdAll();
  expect(passwords.known(proxy)).toBeUndefined();
  expect(await passwords.next(proxy, undefined)).toEqual(right);
});
