import { expect, onTestFinished, test } from 'vitest';
import type { WantedPassword } from '../../contract/connection.ts';
import { createTestClock } from '../async/testing/clock.ts';
import { createApiAgent } from './connector.ts';
import { exchange } from './exchange.ts';
import { proxyName } from './proxy.ts';
import { createProxyPasswords, trialsOfWorker } from './proxy-passwords.ts';
import { createRoutes } from './route.ts';
import { startConnectProxy } from './testing/proxies.ts';
import { testRoutes } from './testing/routes.ts';
import { startTestServer } from './testing/server.ts';

const proxy = 'office.example:8080';
const right = { user: 'jo', password: 'right' };
const wrong = { user: 'jo', password: 'wrong' };

/** Creates a keychain in memory. `reads`: the accounts whose secrets were read. */
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
  expect(await next(proxy, true)).toBe('missing');
  expect(asked).toEqual([{ proxy, wrong: false, inClear: true }]);
  await enter(proxy, right);
  expect(known(proxy)).toEqual(right);

  const later = usePasswords(useKeychain(secrets));
  expect(await later.next(proxy, true)).toEqual(right);
  expect(later.known(proxy)).toEqual(right);
  expect(await later.next('other.example:1', true)).toBe('missing');

  await later.enter(proxy, { ...right, inClear: false });
  const last = usePasswords(useKeychain(secrets));
  expect(await last.next(proxy, true)).toBe('missing');
  expect(await last.next(proxy, false)).toEqual({ ...right, inClear: false });
});

test('a rejected password is never sent again, wherever it came from, until a person enters it', async () => {
  const { known, next, enter, trials, asked } = usePasswords();
  expect(await next(proxy, true, wrong)).toEqual(wrong);
  trials.settle({ proxy, login: wrong }, 'rejected');
  expect(await next(proxy, true, wrong)).toBe('wrong');
  expect(asked).toEqual([{ proxy, wrong: true, inClear: true }]);
  expect(known(proxy)).toBeUndefined();
  await enter(proxy, wrong);
  trials.settle({ proxy, login: wrong }, 'rejected');
  expect(await next(proxy, true)).toBe('wrong');
  expect(known(proxy)).toBeUndefined();
  // The user enters another password before a proxy rejects the earlier one on another connection.
  await enter(proxy, right);
  trials.settle({ proxy, login: wrong }, 'rejected');
  expect(await next(proxy, true)).toEqual(right);
  expect(asked).toHaveLength(2);
});

test('a rejected password is not sent by another process either, until a person enters it', async () => {
  const first = usePasswords();
  await first.enter(proxy, wrong);
  first.trials.settle({ proxy, login: wrong }, 'rejected');
  expect(await first.next(proxy, true)).toBe('wrong');
  const second = usePasswords(useKeychain(first.secrets));
  expect(await second.next(proxy, true)).toBe('wrong');
  expect(second.asked).toMatchObject([{ wrong: true }]);
  await second.enter(proxy, wrong);
  expect(await usePasswords(useKeychain(first.secrets)).next(proxy, true)).toEqual(wrong);
});

test('B13: the password of an address is known only once the proxy has asked, and not after it stopped asking', async () => {
  const { known, next, trials } = usePasswords();
  expect(known(proxy)).toBeUndefined();
  expect(await next(proxy, true, right)).toEqual(right);
  expect(known(proxy)).toEqual(right);
  trials.settle({ proxy, login: right }, 'unwanted');
  expect(known(proxy)).toBeUndefined();
  expect(await next(proxy, true, right)).toEqual(right);
});

test('a person who dismissed the question is left in peace for a while', async () => {
  const { next, dismiss, askAgain, asked, clock } = usePasswords();
  dismiss();
  await next(proxy, true);
  expect(asked).toEqual([]);
  clock.advance(10 * 60_000);
  await next(proxy, true);
  dismiss();
  askAgain();
  await next(proxy, true);
  expect(asked).toHaveLength(2);
});

test('without a keychain, passwords last as long as the process', async () => {
  const passwords = createProxyPasswords({ keychain: undefined, onWanted: () => {} });
  await passwords.enter(proxy, right);
  expect(await passwords.next(proxy, true)).toEqual(right);
  // On another network, another proxy may have the same name.
  passwords.withholdAll();
  expect(passwords.known(proxy)).toBeUndefined();
  expect(await passwords.next(proxy, true)).toEqual(right);
});

const withoutKeychain = () => createProxyPasswords({ keychain: undefined, onWanted: () => {} });

/**
 * Creates `count` pools, each with the trials of a worker of its own. Their requests go through a proxy whose address
 * has this `password`. `askAll` makes two requests with each pool.
 */
const useThreads = async (count: number, password: string, { dropsFirst = false } = {}) => {
  const server = await startTestServer((response) => void response.end('here'));
  const proxy = await startConnectProxy({ password: 'jo:right', dropsFirst });
  const routes = testRoutes({
    settings: () => ({ mode: 'system', exceptions: [] }),
    environment: { HTTP_PROXY: `http://jo:${password}@${proxy.name}` },
    passwords: withoutKeychain(),
  });
  const pools = Array.from({ length: count }, () =>
    createApiAgent({ routing: { ...routes, trials: trialsOfWorker(routes.trials) } }),
  );
  onTestFinished(async () => {
    await Promise.all(pools.map((pool) => pool.destroy()));
    await Promise.all([proxy.close(), server.close()]);
  });
  const ask = (pool: (typeof pools)[number]) =>
    exchange(pool, { method: 'GET', url: new URL(server.url), headers: {} });
  const askAll = () => Promise.allSettled(pools.flatMap((pool) => [ask(pool), ask(pool)]));
  return { proxy, askAll };
};

test('several threads that need the same wrong password at once send it once', async () => {
  const { proxy, askAll } = await useThreads(3, 'wrong');
  const answers = await askAll();
  expect(answers).toHaveLength(6);
  for (const answer of answers)
    expect(answer).toMatchObject({ status: 'rejected', reason: { code: 'network/proxy-password-wrong' } });
  await askAll();
  expect(proxy.logins.filter((login) => login !== undefined)).toHaveLength(1);
});

test('after a trial without an answer, one other connection tries it, not all', async () => {
  const { proxy, askAll } = await useThreads(3, 'wrong', { dropsFirst: true });
  const answers = await askAll();
  const codes = answers.map((answer) => answer.status === 'rejected' && answer.reason.code);
  expect(codes.filter((code) => code === 'network/proxy-unreachable')).toHaveLength(1);
  expect(codes.filter((code) => code === 'network/proxy-password-wrong')).toHaveLength(5);
  expect(proxy.logins.filter((login) => login !== undefined)).toHaveLength(2);
});

test('a right password serves all threads', async () => {
  const { askAll } = await useThreads(3, 'right');
  for (const answer of await askAll()) expect(answer).toMatchObject({ value: { status: 200 } });
});

const trial = { proxy: 'office.example:8080', login: { user: 'jo', password: 'maybe' } };

test('a thread that dies during its trial leaves it to the next one', async () => {
  const { trials } = withoutKeychain();
  const dying = trialsOfWorker(trials);
  expect(await dying.begin(trial)).toBe('first');
  const waiting = trials.begin(trial);
  dying.end();
  expect(await waiting).toBe('first');
});

test('a thread that dies while it waits for a trial leaves it to the next one', async () => {
  const { trials } = withoutKeychain();
  const dying = trialsOfWorker(trials);
  expect(await trials.begin(trial)).toBe('first');
  const [dead, waiting] = [dying.begin(trial), trials.begin(trial)];
  dying.end();
  trials.settle(trial, 'unknown');
  await dead;
  expect(await waiting).toBe('first');
});

test('a rejected password that a person enters again is tried by one connection again', async () => {
  const { trials, enter } = withoutKeychain();
  expect(await trials.begin(trial)).toBe('first');
  trials.settle(trial, 'accepted');
  expect(await trials.begin(trial)).toBe('accepted');
  trials.settle(trial, 'rejected');
  expect(await trials.begin(trial)).toBe('rejected');
  await enter(trial.proxy, trial.login);
  expect(await trials.begin(trial)).toBe('first');
});

/** Starts a proxy whose address has a password. `ask` makes a request through it, on a connection of its own. */
const useProxyWithPassword = async (rules: Parameters<typeof startConnectProxy>[0]) => {
  const server = await startTestServer((response) => void response.setHeader('connection', 'close').end('here'));
  const proxy = await startConnectProxy(rules);
  const routes = testRoutes({
    settings: () => ({ mode: 'system', exceptions: [] }),
    environment: { HTTP_PROXY: `http://jo:right@${proxy.name}` },
  });
  const pool = createApiAgent({ routing: routes });
  onTestFinished(async () => {
    await pool.destroy();
    await Promise.all([proxy.close(), server.close()]);
  });
  const ask = () => exchange(pool, { method: 'GET', url: new URL(server.url), headers: {} });
  return { ask, proxy };
};
const basic = `Basic ${Buffer.from('jo:right').toString('base64')}`;

test('B13: a proxy that wants NTLM only never gets the password of its address', async () => {
  const { ask, proxy } = await useProxyWithPassword({ password: 'jo:right', schemes: ['NTLM'] });
  for (let i = 0; i < 5; i += 1) await expect(ask()).rejects.toMatchObject({ code: 'network/proxy-scheme' });
  expect(proxy.logins).toEqual([undefined, undefined, undefined, undefined, undefined]);
});

test('B13: the password of a proxy with TLS is not sent to the same host and port without TLS', async () => {
  const proxy = await startConnectProxy({ password: 'jo:right' });
  const { asked, ...passwords } = usePasswords();
  const [host = '', port] = proxy.name.split(':');
  await passwords.enter(proxyName({ type: 'https', host, port: Number(port) }), right);
  const routing = createRoutes({
    settings: () => ({ mode: 'system', exceptions: [] }),
    environment: {},
    resolveProxy: async () => `PROXY ${proxy.name}`,
    passwords,
  });
  const pool = createApiAgent({ routing });
  onTestFinished(async () => {
    await pool.destroy();
    await proxy.close();
  });
  const asking = exchange(pool, { method: 'GET', url: new URL('http://service.test'), headers: {} });
  await expect(asking).rejects.toMatchObject({ code: 'network/proxy-password' });
  expect(proxy.logins).toEqual([undefined]);
  expect(asked).toEqual([{ proxy: proxy.name, wrong: false, inClear: true }]);
});

test('B13: a proxy that asks for no password gets none', async () => {
  const { ask, proxy } = await useProxyWithPassword({});
  for (let i = 0; i < 3; i += 1) expect(await ask()).toMatchObject({ status: 200 });
  expect(proxy.logins).toEqual([undefined, undefined, undefined]);
});

test('B13: a proxy that asked for Basic once gets the password with each connection from then on', async () => {
  const { ask, proxy } = await useProxyWithPassword({ password: 'jo:right' });
  for (let i = 0; i < 3; i += 1) expect(await ask()).toMatchObject({ status: 200 });
  expect(proxy.logins).toEqual([undefined, basic, basic, basic]);
});

test('B13: a proxy that stops offering Basic gets no password any more', async () => {
  const schemes = ['Basic realm="office"'];
  const { ask, proxy } = await useProxyWithPassword({ password: 'jo:right', schemes });
  expect(await ask()).toMatchObject({ status: 200 });
  schemes.splice(0, 1, 'NTLM');
  for (let i = 0; i < 3; i += 1) await expect(ask()).rejects.toMatchObject({ code: 'network/proxy-scheme' });
  expect(proxy.logins).toEqual([undefined, basic, basic, undefined, undefined, undefined]);
});
