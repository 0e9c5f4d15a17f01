import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { DeskError } from '../../contract/errors.ts';
import { orCancelled } from '../async/cancel.ts';
import { createOutbox, openOutboxStore } from './outbox.ts';

test('a service that was reached does not hear of an outbox that cannot be read', () => {
  const home = mkdtempSync(join(tmpdir(), 'outbox-test-'));
  const store = openOutboxStore(join(home, 'outbox.sqlite'));
  onTestFinished(() => {
    store.close();
    rmSync(home, { recursive: true });
  });
  const damaged = new DeskError('data/corrupt', 'no');
  const bugs: unknown[] = [];
  const unexpected = () => expect.unreachable('nothing is sent');
  const outbox = createOutbox({
    store: {
      ...store,
      list: () => {
        throw damaged;
      },
    },
    owner: () => ({ connectionId: 'connection', subject: undefined }),
    isSignedIn: () => true,
    isUnreachable: () => false,
    apply: { planAfter: unexpected, removeFile: unexpected },
    onChange: () => {},
    onRemovals: () => {},
    onBug: (error) => bugs.push(error),
    sleep: unexpected,
    now: () => 1,
  });
  outbox.reached();
  expect(bugs).toEqual([damaged]);
});

test('a change that waited for another one is not made as another user, even if nobody was signed in', async () => {
  const store = openOutboxStore(':memory:');
  onTestFinished(store.close);
  let subject: string | undefined = 'anna';
  const sent: unknown[] = [];
  const first = Promise.withResolvers<void>();
  const unexpected = () => expect.unreachable('nothing is removed');
  const outbox = createOutbox({
    store,
    owner: () => ({ connectionId: 'connection', subject }),
    isSignedIn: () => subject !== undefined,
    isUnreachable: () => false,
    apply: {
      planAfter: async ({ AssignmentId, PlanAfter = 0 }) => {
        sent.push(PlanAfter);
        await first.promise;
        return { AssignmentId, PlanAfter };
      },
      removeFile: unexpected,
    },
    onChange: () => {},
    onRemovals: () => expect.unreachable('nothing is removed'),
    onBug: unexpected,
    sleep: unexpected,
    now: () => 1,
  });
  const changes = [1, 2].map((PlanAfter) => outbox.planAfter({ AssignmentId: 'a', PlanAfter }));
  await expect.poll(() => sent).toEqual([1]);
  subject = undefined;
  const signedOut = outbox.planAfter({ AssignmentId: 'a', PlanAfter: 3 });
  expect(() => outbox.removeFiles('a', [{ Key: 'key', FileName: 'a.txt' }])).toThrow('nobody is signed in');
  subject = 'bert';
  first.resolve();
  expect(await Promise.allSettled(changes)).toMatchObject([
    { status: 'fulfilled' },
    { status: 'rejected', reason: { code: 'auth/required' } },
  ]);
  await expect(signedOut).rejects.toMatchObject({ code: 'auth/required' });
  expect(sent).toEqual([1]);
});

test('a value that was set replaces an earlier pending one, even of another user', async () => {
  const store = openOutboxStore(':memory:');
  onTestFinished(store.close);
  let subject = 'anna';
  let failure: DeskError | undefined = noNetwork();
  const sent: unknown[] = [];
  const outbox = createOutbox({
    store,
    owner: () => ({ connectionId: 'connection', subject }),
    isSignedIn: () => true,
    isUnreachable: () => false,
    apply: {
      planAfter: async ({ AssignmentId, PlanAfter = 0 }) => {
        if (failure) throw failure;
        sent.push(PlanAfter);
        return { AssignmentId, PlanAfter };
      },
      removeFile: () => expect.unreachable('nothing is removed'),
    },
    onChange: () => {},
    onRemovals: () => expect.unreachable('nothing is removed'),
    onBug: (error) => expect.unreachable(String(error)),
    sleep: (ms) => (ms > 2_000 ? new Promise(() => {}) : Promise.resolve()),
    now: () => 1,
  });
  await outbox.planAfter({ AssignmentId: 'a', PlanAfter: 1 });
  failure = undefined;
  subject = 'bo';
  await outbox.planAfter({ AssignmentId: 'a', PlanAfter: 2 });
  subject = 'anna';
  await outbox.send();
  expect(sent).toEqual([2]);
});

test('changes made while the service is known to be unreachable are pending without a request', async () => {
  const store = openOutboxStore(':memory:');
  onTestFinished(store.close);
  let isUnreachable = false;
  const sent: unknown[] = [];
  const waits: number[] = [];
  const outbox = createOutbox({
    store,
    owner: () => ({ connectionId: 'connection', subject: 'anna' }),
    isSignedIn: () => true,
    isUnreachable: () => isUnreachable,
    apply: {
      planAfter: async ({ AssignmentId, PlanAfter = 0 }) => {
        sent.push([AssignmentId, PlanAfter]);
        if (isUnreachable) throw new DeskError('service/unreachable', 'cut off', { retry: 'later' });
        return { AssignmentId, PlanAfter };
      },
      removeFile: () => expect.unreachable('nothing is removed'),
    },
    onChange: () => {},
    onRemovals: () => expect.unreachable('nothing is removed'),
    onBug: (error) => expect.unreachable(String(error)),
    sleep: async (ms) => {
      waits.push(ms);
      if (ms > 2_000) await new Promise(() => {});
    },
    now: () => 1,
  });
  isUnreachable = true;
  // For a script, the request is sent although the service is known to be unreachable.
  const now = outbox.planAfterNow({ AssignmentId: 'a', PlanAfter: 1 }, new AbortController().signal);
  await expect(now).rejects.toMatchObject({ code: 'service/unreachable' });
  expect(sent).toEqual([['a', 1]]);
  // These changes become pending immediately: they do not wait until the earlier request can no longer take effect.
  for (const AssignmentId of ['a', 'b', 'c'])
    expect(await outbox.planAfter({ AssignmentId, PlanAfter: 2 })).toBeUndefined();
  expect(await outbox.planAfter({ AssignmentId: 'b', PlanAfter: 3 })).toBeUndefined();
  expect(sent).toHaveLength(1);
  expect(waits).toEqual([5_000]);
  expect(outbox.list()).toMatchObject([{ PlanAfter: 2 }, { PlanAfter: 2 }, { AssignmentId: 'b', PlanAfter: 3 }]);
  isUnreachable = false;
  await outbox.send();
  expect(sent.slice(1)).toEqual([
    ['a', 2],
    ['c', 2],
    ['b', 3],
  ]);
  expect(outbox.list()).toEqual([]);
});

test('a value waits until a call for another one that was cut off can no longer take effect', async () => {
  const store = openOutboxStore(':memory:');
  onTestFinished(store.close);
  const seen: unknown[] = [];
  const open = () =>
    createOutbox({
      store,
      owner: () => ({ connectionId: 'connection', subject: 'anna' }),
      isSignedIn: () => true,
      isUnreachable: () => false,
      apply: {
        planAfter: async ({ AssignmentId, PlanAfter = 0 }, signal) => {
          seen.push(PlanAfter);
          if (PlanAfter === 1 && seen.length === 1) await orCancelled(new Promise(() => {}), signal);
          return { AssignmentId, PlanAfter };
        },
        removeFile: () => expect.unreachable('nothing is removed'),
      },
      onChange: () => {},
      onRemovals: () => {},
      onBug: (error) => expect.unreachable(String(error)),
      sleep: async (ms) => void seen.push(ms > 1_000 && ms <= 2_000 ? 'wait' : ms),
      now: () => 1,
    });
  const before = open();
  const cut = before.planAfter({ AssignmentId: 'a', PlanAfter: 1 });
  await expect.poll(() => seen).toEqual([1]);
  // The outbox is closed, as when another user signs in or the connection changes.
  await before.close();
  await expect(cut).rejects.toMatchObject({ code: 'app/cancelled' });
  const outbox = open();
  await outbox.planAfter({ AssignmentId: 'b', PlanAfter: 2 });
  await outbox.planAfter({ AssignmentId: 'a', PlanAfter: 1 });
  await outbox.planAfter({ AssignmentId: 'a', PlanAfter: 2 });
  expect(seen).toEqual([1, 2, 1, 'wait', 2]);
});

test('a value that must be set now waits for its turn, is aborted with its caller, and is never pending', async () => {
  const store = openOutboxStore(':memory:');
  onTestFinished(store.close);
  const owner = { connectionId: 'connection', subject: 'anna' };
  const seen: unknown[] = [];
  const first = Promise.withResolvers<void>();
  let failure: DeskError | undefined;
  const outbox = createOutbox({
    store,
    owner: () => owner,
    isSignedIn: () => true,
    isUnreachable: () => false,
    apply: {
      planAfter: async ({ AssignmentId, PlanAfter = 0 }, signal) => {
        seen.push(PlanAfter);
        if (PlanAfter === 1) await first.promise;
        if (PlanAfter === 3) await orCancelled(new Promise(() => {}), signal);
        if (failure) throw failure;
        return { AssignmentId, PlanAfter };
      },
      removeFile: () => expect.unreachable('nothing is removed'),
    },
    onChange: () => {},
    onRemovals: () => {},
    onBug: (error) => expect.unreachable(String(error)),
    sleep: () => Promise.resolve(),
    now: () => 1,
  });
  const set = (PlanAfter: number, signal = new AbortController().signal) =>
    outbox.planAfterNow({ AssignmentId: 'a', PlanAfter }, signal);
  const waits = outbox.planAfter({ AssignmentId: 'a', PlanAfter: 1 });
  const cancels = [new AbortController(), new AbortController()];
  const given = set(2, cancels[0]?.signal);
  const sent = set(3, cancels[1]?.signal);
  cancels[0]?.abort();
  await expect(given).rejects.toMatchObject({ code: 'app/cancelled' });
  first.resolve();
  await waits;
  await expect.poll(() => seen).toEqual([1, 3]);
  cancels[1]?.abort();
  await expect(sent).rejects.toMatchObject({ code: 'app/cancelled' });

  store.put(owner, { AssignmentId: 'a', PlanAfter: 4 }, 1);
  failure = noNetwork();
  await expect(set(5)).rejects.toBe(failure);
  expect(outbox.list()).toMatchObject([{ PlanAfter: 4 }]);
  failure = undefined;
  expect(await set(6)).toEqual({ AssignmentId: 'a', PlanAfter: 6 });
  expect(outbox.list()).toEqual([]);
  await outbox.send();
  expect(seen).toEqual([1, 3, 5, 6]);
});

test('a change that waits is not rejected by a certificate that is not accepted, and is made once it is', async () => {
  const store = openOutboxStore(':memory:');
  onTestFinished(store.close);
  const unexpected = () => expect.unreachable('nothing is removed');
  let failure: DeskError | undefined = new DeskError('service/unreachable', 'no network', { retry: 'later' });
  const sent: unknown[] = [];
  const outbox = createOutbox({
    store,
    owner: () => ({ connectionId: 'connection', subject: 'anna' }),
    isSignedIn: () => true,
    isUnreachable: () => false,
    apply: {
      planAfter: async ({ AssignmentId, PlanAfter = 0 }) => {
        sent.push(PlanAfter);
        if (failure) throw failure;
        return { AssignmentId, PlanAfter };
      },
      removeFile: unexpected,
    },
    onChange: () => {},
    onRemovals: () => {},
    onBug: unexpected,
    sleep: () => new Promise(() => {}),
    now: () => 1,
  });
  await outbox.planAfter({ AssignmentId: 'a', PlanAfter: 1 });
  failure = new DeskError('service/certificate-untrusted', 'an inspecting proxy');
  await outbox.send();
  expect(sent).toEqual([1, 1]);
  expect(outbox.list()).toMatchObject([{ PlanAfter: 1 }]);
  expect(outbox.list()[0]?.error).toBeUndefined();
  failure = undefined;
  await outbox.send();
  expect(outbox.list()).toEqual([]);
});

/**
 * Creates an outbox that removes the files `a` to `e`; each call of `removeFile` removes one. Waits between attempts
 * are short.
 */
const removeFive = (removeFile: (Key: string) => Promise<unknown>, onWait?: (ms: number) => void) => {
  const outbox = openRemovals(':memory:', removeFile, onWait);
  outbox.removeFiles(
    'a',
    Array.from('abcde', (Key) => ({ Key, FileName: `${Key}.pdf` })),
  );
  return outbox;
};

const openRemovals = (path: string, removeFile: (Key: string) => Promise<unknown>, onWait?: (ms: number) => void) => {
  const store = openOutboxStore(path);
  const outbox = createOutbox({
    store,
    owner: () => ({ connectionId: 'connection', subject: 'anna' }),
    isSignedIn: () => true,
    isUnreachable: () => false,
    apply: {
      planAfter: () => expect.unreachable('nothing is planned'),
      removeFile: async ({ Key }) => {
        await removeFile(Key);
        return undefined;
      },
    },
    onChange: () => {},
    onRemovals: () => {},
    onBug: (error) => expect.unreachable(String(error)),
    sleep: async (ms, signal) => {
      onWait?.(ms);
      await setTimeout(10, undefined, { signal });
    },
    now: () => 1,
  });
  onTestFinished(async () => {
    await outbox.close();
    store.close();
  });
  return outbox;
};

const noNetwork = () => new DeskError('service/unreachable', 'no network', { retry: 'later' });

test('files of a removal that fail together make the next wait no longer than one would', async () => {
  const seen: unknown[] = [];
  const refuse = async (Key: string) => {
    seen.push(Key);
    throw noNetwork();
  };
  removeFive(refuse, (ms) => void seen.push(ms));
  await expect.poll(() => seen.slice(0, 10)).toEqual([...'abcd', 5_000, ...'abcd', 10_000]);
});

test('a removal goes on when one file fails at once and another takes longer than the wait', async () => {
  let hasFailed = false;
  const outbox = removeFive(async (Key) => {
    if (Key === 'b') await setTimeout(50);
    if (Key !== 'a' || hasFailed) return;
    hasFailed = true;
    throw noNetwork();
  });
  await expect.poll(() => outbox.list()).toMatchObject([{ waiting: 0 }]);
});

test('a removal that is requested at any moment of the last response to another one does not stay pending', async () => {
  const left: number[] = [];
  for (let steps = 0; steps < 20; steps += 1) {
    const response = Promise.withResolvers<void>();
    const outbox = openRemovals(':memory:', (Key) => (Key === 'roof' ? response.promise : Promise.resolve()));
    outbox.removeFiles('a', [roof]);
    await setTimeout();
    response.resolve();
    for (let step = 0; step < steps; step += 1) await Promise.resolve();
    outbox.removeFiles('a', [{ Key: 'door', FileName: 'door.jpg' }]);
    await setTimeout(10);
    if (outbox.list().length > 0) left.push(steps);
  }
  expect(left).toEqual([]);
});

test.each(['service/failed', 'service/malformed'] as const)(
  'a removal that ends in %s does not hold back the others',
  async (code) => {
    const removed: string[] = [];
    const outbox = openRemovals(':memory:', async (Key) => {
      if (Key === 'roof') throw new DeskError(code, 'a bug', { retry: 'later' });
      removed.push(Key);
    });
    outbox.removeFiles('a', [roof, { Key: 'wall', FileName: 'wall.jpg' }]);
    outbox.removeFiles('b', [{ Key: 'door', FileName: 'door.jpg' }]);
    await outbox.send();
    expect(removed).toEqual(['wall', 'door']);
    expect(outbox.list()).toMatchObject([{ AssignmentId: 'a', removed: 1, refused: 0, waiting: 1 }]);
  },
);

const failsAt =
  (isBad: (Key: string) => boolean, asked: unknown[] = []) =>
  async (Key: string) => {
    asked.push(Key);
    if (isBad(Key)) throw new DeskError('service/failed', 'a bug', { retry: 'later' });
  };
const twelve = Array.from('abcdefghijkl', (Key) => ({ Key, FileName: `${Key}.pdf` }));

test('files at which the service fails do not hold back the other files of their removal', async () => {
  const outbox = openRemovals(
    ':memory:',
    failsAt((Key) => 'abcd'.includes(Key)),
  );
  outbox.removeFiles('a', twelve);
  await outbox.send();
  expect(outbox.list()).toMatchObject([{ removed: 8, refused: 0, waiting: 4 }]);
  const seen: string[] = [];
  const { signal } = new AbortController();
  const command = outbox.removeNow('b', twelve, ({ Key }) => seen.push(Key), signal);
  await expect(command).rejects.toMatchObject({ code: 'service/failed' });
  expect(seen.toSorted()).toEqual([...'efghijkl']);
});

test('a group of files at which the service fails does not hold back the others, however large it is', async () => {
  const Keys = Array.from({ length: 60 }, (_, index) => String(index).padStart(2, '0'));
  const outbox = openRemovals(
    ':memory:',
    failsAt((Key) => Key < '40'),
  );
  const files = Keys.map((Key) => ({ Key, FileName: Key }));
  const seen: string[] = [];
  const command = outbox.removeNow('a', files, ({ Key }) => seen.push(Key), new AbortController().signal);
  await expect(command).rejects.toMatchObject({ code: 'service/failed' });
  expect(seen.toSorted()).toEqual(Keys.slice(40));
});

test('a service that fails at every file of a removal is not asked about all, and next time about the others first', async () => {
  const asked: unknown[] = [];
  let isBad = true;
  const outbox = openRemovals(
    ':memory:',
    failsAt(() => isBad, asked),
    (ms) => {
      asked.push(ms);
      isBad = false;
    },
  );
  outbox.removeFiles('a', [...twelve, { Key: 'm', FileName: 'm.pdf' }]);
  await expect.poll(() => outbox.list()).toMatchObject([{ removed: 13 }]);
  expect(asked).toEqual([...'abcdmlkjefgh', 5_000, 'i', ...'abcdefghjklm']);
});

test('a removal that is taken back while its first files are being removed keeps the rest, and a receipt', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const asked: string[] = [];
  const outbox = removeFive(async (Key) => {
    asked.push(Key);
    await promise;
  });
  await expect.poll(() => asked).toEqual([...'abcd']);
  const id = outbox.list()[0]?.id ?? 0;
  outbox.revoke(id);
  resolve();
  await expect.poll(() => outbox.list()).toMatchObject([{ files: 5, removed: 4, waiting: 0 }]);
  expect(outbox.removal(id, { offset: 4, limit: 1 }).files).toMatchObject([{ Key: 'e', state: 'kept' }]);
});

const roof = { Key: 'roof', FileName: 'roof.jpg' };

test('a removal of one file leaves no receipt; one that was rejected stays until the same file is removed again', async () => {
  let failure: DeskError | undefined = new DeskError('service/refused', 'no');
  const outbox = openRemovals(':memory:', async () => {
    if (failure) throw failure;
  });
  outbox.removeFiles('a', [roof]);
  expect([...outbox.leaving('a')]).toEqual(['roof']);
  await outbox.send();
  expect(outbox.list()).toMatchObject([{ name: 'roof.jpg', refused: 1, error: { code: 'service/refused' } }]);
  expect([...outbox.leaving('a')]).toEqual([]);
  failure = new DeskError('service/not-found', 'it has gone');
  outbox.removeFiles('a', [roof]);
  expect(outbox.list()).toMatchObject([{ name: 'roof.jpg', waiting: 1 }]);
  await outbox.send();
  expect(outbox.list()).toEqual([]);
});

test('a rejected removal of one file ends when any other removal has removed the file', async () => {
  let failure: DeskError | undefined;
  const outbox = openRemovals(':memory:', async () => {
    if (failure) throw failure;
  });
  const rejected = async () => {
    failure = new DeskError('service/refused', 'no');
    for (const AssignmentId of ['a', 'b']) outbox.removeFiles(AssignmentId, [roof]);
    await outbox.send();
    expect(outbox.list()).toMatchObject([{ refused: 1 }, { refused: 1 }]);
    failure = undefined;
  };
  await rejected();
  await outbox.removeNow('a', [roof], () => {}, new AbortController().signal);
  expect(outbox.list()).toMatchObject([{ AssignmentId: 'b', refused: 1 }]);
  await rejected();
  outbox.removeFiles('a', [roof, ...twelve]);
  await outbox.send();
  expect(outbox.list()).toMatchObject([
    { AssignmentId: 'b', refused: 1 },
    { AssignmentId: 'a', removed: 13 },
  ]);
});

test('a removal that is taken back while its only file is being removed leaves nothing', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const outbox = openRemovals(':memory:', () => promise);
  outbox.removeFiles('a', [roof]);
  outbox.revoke(outbox.list()[0]?.id ?? 0);
  resolve();
  await outbox.send();
  expect(outbox.list()).toEqual([]);
});

test('a command that removes files learns what became of each, goes first, and leaves nothing in the outbox', async () => {
  let failure: DeskError | undefined = noNetwork();
  const asked: string[] = [];
  const outbox = openRemovals(':memory:', async (Key) => {
    asked.push(Key);
    if (failure) throw failure;
    if (Key === 'wall') throw new DeskError('service/refused', 'no');
    if (Key === 'gate') throw new DeskError('service/not-found', 'it has gone');
  });
  const seen: unknown[] = [];
  const remove = (Keys: readonly string[], signal = new AbortController().signal) =>
    outbox.removeNow(
      'b',
      Keys.map((Key) => ({ Key, FileName: Key })),
      ({ Key, isRemoved, error }) => seen.push([Key, isRemoved, error?.code]),
      signal,
    );
  outbox.removeFiles('a', [roof]);
  await outbox.send();
  await expect(remove(['door'])).rejects.toBe(failure);
  // An earlier removal of the same file is still pending. It is separate from this call.
  await expect(remove(['roof'])).rejects.toBe(failure);
  expect(outbox.list()).toMatchObject([{ name: 'roof.jpg', waiting: 1 }]);
  failure = undefined;
  asked.length = 0;
  await remove(['door', 'gate', 'wall']);
  expect(seen).toEqual([
    ['door', true, undefined],
    ['gate', true, 'service/not-found'],
    ['wall', false, 'service/refused'],
  ]);
  await expect.poll(() => outbox.list()).toEqual([]);
  expect(asked).toEqual(['door', 'gate', 'wall', 'roof']);
});

test('a removal whose caller waits ends when it is aborted or discarded', async () => {
  const response = Promise.withResolvers<void>();
  const outbox = openRemovals(':memory:', () => response.promise);
  const cancel = new AbortController();
  const files = Array.from('abcde', (Key) => ({ Key, FileName: `${Key}.pdf` }));
  const seen: string[] = [];
  const removals = [cancel.signal, new AbortController().signal].map((signal) =>
    outbox.removeNow('a', files, ({ Key }) => seen.push(Key), signal),
  );
  cancel.abort();
  await expect(removals[0]).rejects.toMatchObject({ code: 'app/cancelled' });
  expect(outbox.list()).toHaveLength(1);
  response.resolve();
  outbox.revoke(outbox.list()[0]?.id ?? 0);
  await expect(removals[1]).rejects.toMatchObject({ code: 'app/cancelled' });
  expect(outbox.list()).toEqual([]);
});

test('a caller waits for its own files only', async () => {
  const first = Promise.withResolvers<void>();
  const others = Promise.withResolvers<void>();
  let other: () => Promise<void> = () => first.promise;
  const outbox = openRemovals(':memory:', async (Key) => {
    if (twelve.some((file) => file.Key === Key)) return other();
    if (Key === 'bad') throw new DeskError('service/failed', 'a bug', { retry: 'later' });
  });
  onTestFinished(() => others.resolve());
  const seen: string[] = [];
  const { signal } = new AbortController();
  const remove = (...Keys: readonly string[]) =>
    outbox.removeNow(
      'b',
      Keys.map((Key) => ({ Key, FileName: Key })),
      ({ Key }) => seen.push(Key),
      signal,
    );
  outbox.removeFiles('a', twelve);
  const commands = [remove('door'), remove('bad', 'gate')];
  other = () => others.promise;
  first.resolve();
  await commands[0];
  await expect(commands[1]).rejects.toMatchObject({ code: 'service/failed' });
  expect(seen).toEqual(['door', 'gate']);
  expect(outbox.list()).toMatchObject([{ AssignmentId: 'a', removed: 4, waiting: 8 }]);
});

test('a caller gets the error of its own removal, not that of another one', async () => {
  const outbox = openRemovals(':memory:', async (Key) => {
    if (Key === 'roof') throw new DeskError('auth/required', 'nobody is signed in');
    throw new DeskError('service/failed', 'a bug', { retry: 'later' });
  });
  outbox.removeFiles('a', [roof]);
  await outbox.send();
  const { signal } = new AbortController();
  const command = outbox.removeNow('b', [{ Key: 'door', FileName: 'door.jpg' }], () => {}, signal);
  await expect(command).rejects.toMatchObject({ code: 'service/failed' });
});

test('a file of a removal whose caller waits can be tried again meanwhile', async () => {
  const response = Promise.withResolvers<void>();
  let isRejected = true;
  const outbox = openRemovals(':memory:', async (Key) => {
    if (Key === 'a' && isRejected) throw new DeskError('service/refused', 'no');
    if (Key === 'e') await response.promise;
  });
  const seen: string[] = [];
  const { signal } = new AbortController();
  const command = outbox.removeNow('a', twelve, ({ Key, isRemoved }) => seen.push(`${Key} ${isRemoved}`), signal);
  await expect.poll(() => outbox.list()).toMatchObject([{ removed: 6, refused: 1 }]);
  isRejected = false;
  outbox.retry(outbox.list()[0]?.id ?? 0);
  response.resolve();
  await command;
  expect(seen.filter((file) => file.startsWith('a'))).toEqual(['a false', 'a true']);
  expect(seen).toHaveLength(13);
  expect(outbox.list()).toEqual([]);
});

test('with a damaged outbox, files can be removed while the service can be reached, and no removal stays pending', async () => {
  const home = mkdtempSync(join(tmpdir(), 'outbox-test-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  writeFileSync(join(home, 'outbox.sqlite'), 'this is no database'.repeat(300));
  let failure: DeskError | undefined;
  const outbox = openRemovals(join(home, 'outbox.sqlite'), async () => {
    if (failure) throw failure;
  });
  outbox.removeFiles('a', [roof]);
  await outbox.send();
  expect(outbox.list()).toEqual([]);
  failure = noNetwork();
  outbox.removeFiles('a', [roof]);
  await outbox.send();
  expect(outbox.list()).toMatchObject([{ waiting: 0, refused: 1, error: { code: 'data/corrupt' } }]);
});

test('the counts of a removal are those of its files after each step', async () => {
  const store = openOutboxStore(':memory:');
  onTestFinished(store.close);
  const files = Array.from('abc', (Key) => ({ Key, FileName: `${Key}.pdf`, sizeBytes: 2 }));
  const owner = { connectionId: 'connection', subject: 'anna' };
  const id = store.putRemoval(owner, 'a', files, 1, true);
  const counts = () => store.list(owner)[0];
  expect(counts()).toMatchObject({ files: 3, bytes: 6, removed: 0, refused: 0, waiting: 3 });
  store.removals.removed(id, 'a', 2);
  store.removals.refused(id, 'b', new DeskError('service/refused', 'no'), 2);
  expect(counts()).toMatchObject({ files: 3, bytes: 6, removed: 1, refused: 1, waiting: 1 });
  store.removals.retry(id);
  expect(counts()).toMatchObject({ removed: 1, refused: 0, waiting: 2 });
  store.removals.keepRest(id);
  store.removals.removed(id, 'b', 3);
  expect(counts()).toMatchObject({ files: 3, removed: 2, refused: 0, waiting: 0 });
});

test('a change at which the service fails does not hold back the others', async () => {
  const store = openOutboxStore(':memory:');
  onTestFinished(store.close);
  const owner = { connectionId: 'connection', subject: 'anna' };
  const ids = ['bad 1', 'bad 2', 'bad 3', 'good 1', 'good 2'];
  for (const AssignmentId of ids) store.put(owner, { AssignmentId, PlanAfter: 1 }, 1);
  const sent: string[] = [];
  const waits: number[] = [];
  const outbox = createOutbox({
    store,
    owner: () => owner,
    isSignedIn: () => true,
    isUnreachable: () => false,
    apply: {
      planAfter: async ({ AssignmentId, PlanAfter = 0 }) => {
        sent.push(AssignmentId);
        if (AssignmentId.startsWith('bad')) throw new DeskError('service/failed', 'a bug', { retry: 'later' });
        return { AssignmentId, PlanAfter };
      },
      removeFile: () => expect.unreachable(),
    },
    onChange: () => {},
    onRemovals: () => {},
    onBug: (error) => expect.unreachable(String(error)),
    sleep: async (ms) => {
      waits.push(ms);
      await new Promise(() => {});
    },
    now: () => 1,
  });
  await outbox.send();
  // After three failures in a row, the remaining changes wait.
  expect(sent.splice(0)).toEqual(['bad 1', 'bad 2', 'bad 3']);
  await outbox.send();
  expect(sent.slice(0, 2)).toEqual(['good 1', 'good 2']);
  expect(outbox.list().map(({ AssignmentId }) => AssignmentId)).toEqual(['bad 1', 'bad 2', 'bad 3']);
  expect(waits).toHaveLength(2);
});
