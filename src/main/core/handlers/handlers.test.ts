import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { callsByName, type Handlers, mapCalls } from '../../../contract/calls.ts';
import { DeskError } from '../../../contract/errors.ts';
import { createDispatcher } from './handlers.ts';

const dispatcher = (handle: (input: unknown, signal: AbortSignal) => unknown) => {
  const onBug = vi.fn();
  return { ...createDispatcher(mapCalls(() => handle) as Handlers, onBug), onBug };
};

const AssignmentId = '0d5e8f4a-4a7e-4f0c-9d5b-6f0a2c1b3d4e';

test('hands the parsed input to the handler, defaults filled in and unknown fields dropped', async () => {
  const handle = vi.fn(() => ({ files: [], total: 0 }));
  const { dispatch } = dispatcher(handle);
  const answer = await dispatch('uploads.files', { batchId: AssignmentId, path: '/etc' });
  expect(answer).toEqual({ ok: true, value: { files: [], total: 0 } });
  expect(handle).toHaveBeenCalledWith({ batchId: AssignmentId, offset: 0, limit: 200 }, expect.any(AbortSignal));
});

test('refuses input that does not parse and names the field', async () => {
  const handle = vi.fn();
  const { dispatch, onBug } = dispatcher(handle);
  const answer = await dispatch('drafts.open', { folderIds: ['f'], AssignmentId: 'no uuid' });
  expect(answer).toMatchObject({ ok: false, error: { code: 'input/invalid', details: { field: 'AssignmentId' } } });
  expect(handle).not.toHaveBeenCalled();
  expect(onBug).not.toHaveBeenCalled();
});

test('Fuzz: refuses what the parser fails on', async () => {
  const { dispatch, onBug } = dispatcher(vi.fn());
  const days = new Uint8Array(8);
  const uploadLimit = { bytesPerSecond: 1, schedule: [{ from: '08:00', to: '17:00', days, bytesPerSecond: 1 }] };
  const answer = await dispatch('preferences.set', { uploadLimit });
  expect(answer).toMatchObject({ ok: false, error: { code: 'input/invalid' } });
  expect(onBug).not.toHaveBeenCalled();
});

test.each(['uploads', 'uploads.nothing', 'toString.call', '__proto__.toString', ''])(
  'knows no call %j',
  async (name) => {
    const answer = await dispatcher(() => undefined).dispatch(name, undefined);
    expect(answer).toMatchObject({ ok: false, error: { code: 'input/invalid', details: { call: name } } });
  },
);

const [THIS, OTHER] = [randomUUID(), randomUUID()];

test('cancels a call by its id, and no other', async () => {
  const { dispatch, cancel } = dispatcher(
    (_, signal) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  );
  const other = vi.fn();
  void dispatch('session.signOut', undefined).then(other);
  void dispatch('session.signOut', undefined, OTHER).then(other);
  const cancelled = dispatch('session.signOut', undefined, THIS);
  cancel(THIS);
  cancel('unknown');
  expect(await cancelled).toMatchObject({ ok: false, error: { code: 'app/cancelled' } });
  expect(other).not.toHaveBeenCalled();
});

test('answers a DeskError with its code, hints and details', async () => {
  const { dispatch, onBug } = dispatcher(() => {
    throw new DeskError('service/busy', 'slow down', { retry: 'later', retryAfterMs: 500, details: { status: 429 } });
  });
  expect(await dispatch('session.signIn', undefined)).toEqual({
    ok: false,
    error: {
      code: 'service/busy',
      message: 'slow down',
      retry: 'later',
      retryAfterMs: 500,
      details: { status: 429 },
    },
  });
  expect(onBug).not.toHaveBeenCalled();
});

test('answers any other error as a bug that says nothing of its insides', async () => {
  const error = new Error('token abc');
  const { dispatch, onBug } = dispatcher(() => Promise.reject(error));
  expect(await dispatch('session.signOut', undefined)).toEqual({
    ok: false,
    error: { code: 'app/bug', message: 'unexpected error', retry: 'never', details: {} },
  });
  expect(onBug).toHaveBeenCalledWith(error);
});

test('lets nothing out that the contract does not name', async () => {
  const { dispatch } = dispatcher(() => ({ folderId: 'f', name: 'photos', path: '/home/anna/photos' }));
  expect(await dispatch('folders.pick', undefined)).toEqual({ ok: true, value: { folderId: 'f', name: 'photos' } });
});

test('reports an output that is not of the contract as a bug', async () => {
  const { dispatch, onBug } = dispatcher(() => ({ folderId: 1 }));
  expect(await dispatch('folders.pick', undefined)).toMatchObject({ ok: false, error: { code: 'app/bug' } });
  expect(onBug).toHaveBeenCalledOnce();
});

test('finds every call of the contract', async () => {
  const { dispatch } = dispatcher(() => {
    throw new DeskError('app/cancelled', 'reached');
  });
  for (const name of callsByName.keys()) {
    const answer = await dispatch(name, undefined);
    expect(answer).not.toMatchObject({ error: { details: { call: name } } });
  }
});

const events = Array.from({ length: 5_500 }, (_, n) => ({ EventId: `E${n}`, EventName: `Event ${n}` }));
const reading = <T>(value: T) => ({ value, unreadable: 0, source: 'service', fetchedAtMs: 1 });

/** Returns how often other work could run before `work` ended. */
const turnsDuring = async (work: Promise<unknown>): Promise<number> => {
  let turns = 0;
  let isDone = false;
  const turn = (): void => {
    turns += 1;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  await work;
  isDone = true;
  return turns;
};

test('A10: a long list is parsed in slices, and comes out whole', async () => {
  const { dispatch } = dispatcher(() => reading(events.map((event) => ({ ...event, secret: 'x' }))));
  const parsing = dispatch('orderableEvents.list', {});
  expect(await turnsDuring(parsing)).toBeGreaterThanOrEqual(5);
  expect(await parsing).toEqual({ ok: true, value: reading(events) });
});

test('A10: a long list beside its counts is parsed in slices, too', async () => {
  const item = { Address: 'A', City: '', ZipCode: '', FacilityId: '', InspectionDate: 1, Points: 0 };
  const Items = events.map(({ EventId: InspectionProtocolId }) => ({ ...item, InspectionProtocolId }));
  const page = reading({ Items, Count: Items.length, TotalCount: Items.length, CurrentPage: 1 });
  const parsing = dispatcher(() => page).dispatch('protocols.list', {});
  expect(await turnsDuring(parsing)).toBeGreaterThanOrEqual(5);
  expect(await parsing).toEqual({ ok: true, value: page });
});

test('an item that is not of the contract is refused wherever it stands', async () => {
  const { dispatch, onBug } = dispatcher(() => reading([...events, { EventId: 1 }]));
  expect(await dispatch('orderableEvents.list', {})).toMatchObject({ ok: false, error: { code: 'app/bug' } });
  expect(onBug).toHaveBeenCalledOnce();
});
