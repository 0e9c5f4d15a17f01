import { expect, test } from 'vitest';
import type { RouteName } from '../http/http.ts';
import { createRandom } from '../sample/sample-data.ts';
import type { FaultEffect, FaultRule } from './fault-plan.ts';
import { createFaultPlan } from './fault-plan.ts';

const effect: FaultEffect = { type: 'delay', delayMs: 1 };

const fire = async (rules: readonly FaultRule[], route: RouteName, subjects: readonly string[]) => {
  const plan = createFaultPlan(createRandom('test'));
  plan.add(rules);
  const fired: boolean[] = [];
  for (const subject of subjects) fired.push((await plan.next({ route, path: '' }, async () => subject)) !== undefined);
  return { fired, plan };
};

test('a rule without conditions fires on every request of its route only', async () => {
  const rule: FaultRule = { match: { route: 'token' }, effect };
  expect((await fire([rule], 'token', ['', ''])).fired).toEqual([true, true]);
  expect((await fire([rule], 'authorize', [''])).fired).toEqual([false]);
});

test('`after` skips the first requests, `count` ends the rule', async () => {
  const rule: FaultRule = { match: { route: 'any' }, when: { after: 1, count: 2 }, effect };
  const { fired, plan } = await fire([rule], 'token', ['', '', '', '']);
  expect(fired).toEqual([false, true, true, false]);
  expect(plan.list()).toEqual([{ rule, matched: 4, fired: 2 }]);
});

test('`contains` limits a rule to its subjects, and only they are counted', async () => {
  const rule: FaultRule = { match: { route: 'any', contains: '.jpg' }, when: { count: 1 }, effect };
  const { fired } = await fire([rule], 'storage-put', ['a.pdf', 'b.jpg', 'c.jpg']);
  expect(fired).toEqual([false, true, false]);
});

test('does not read the subject if no rule needs it', async () => {
  const plan = createFaultPlan(createRandom('test'));
  plan.add([{ match: { route: 'token' }, effect }]);
  expect(await plan.next({ route: 'token', path: '' }, () => Promise.reject(new Error('asked')))).toEqual(effect);
});

test('draws probabilities from the seed', async () => {
  const rule: FaultRule = { match: { route: 'any' }, when: { probability: 0.5 }, effect };
  const requests = Array.from({ length: 200 }, () => '');
  const first = (await fire([rule], 'token', requests)).fired;
  expect((await fire([rule], 'token', requests)).fired).toEqual(first);
  expect(first.filter(Boolean).length).toBeGreaterThan(60);
  expect(first.filter(Boolean).length).toBeLessThan(140);
});

test('applies the first of several rules that fires', async () => {
  const plan = createFaultPlan(createRandom('test'));
  const later: FaultEffect = { type: 'truncate' };
  plan.add([
    { match: { route: 'token' }, when: { count: 1 }, effect },
    { match: { route: 'any' }, effect: later },
  ]);
  expect(await plan.next({ route: 'token', path: '' }, async () => '')).toEqual(effect);
  expect(await plan.next({ route: 'token', path: '' }, async () => '')).toEqual(later);
  plan.clear();
  expect(await plan.next({ route: 'token', path: '' }, async () => '')).toBeUndefined();
});

test('remembers the requests that met a fault until it is cleared', async () => {
  const plan = createFaultPlan(createRandom('test'));
  plan.add([{ match: { route: 'storage-put', contains: '/b' }, effect }]);
  for (const path of ['/a', '/b', '/c', '/b']) await plan.next({ route: 'storage-put', path }, async () => '');
  await plan.next({ route: 'token', path: '/b' }, async () => '');
  expect(plan.fired()).toEqual([
    { route: 'storage-put', number: 2, path: '/b', effect },
    { route: 'storage-put', number: 4, path: '/b', effect },
  ]);
  plan.clear();
  expect(plan.fired()).toEqual([]);
});

test('effects on tokens and signed URLs do not apply to routes without them', async () => {
  const expiredUrl: FaultRule = { match: { route: 'any' }, effect: { type: 'expired-url' } };
  const expiredToken: FaultRule = { match: { route: 'any' }, effect: { type: 'expired-token' } };
  expect((await fire([expiredUrl], 'sign-upload', [''])).fired).toEqual([false]);
  expect((await fire([expiredUrl], 'storage-put', [''])).fired).toEqual([true]);
  expect((await fire([expiredToken], 'storage-put', [''])).fired).toEqual([false]);
  expect((await fire([expiredToken], 'sign-upload', [''])).fired).toEqual([true]);
});
