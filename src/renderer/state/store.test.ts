import { describe, expect, it, vi } from 'vitest';
import type { DeskEvent, Snapshot } from '../../contract/app.ts';
import { type Bridge, mapCalls } from '../../contract/calls.ts';
import type { Connection } from '../../contract/connection.ts';
import type { Draft } from '../../contract/drafts.ts';
import { DeskError, type Envelope, toErrorData } from '../../contract/errors.ts';
import type { Batch } from '../../contract/uploads.ts';
import { createFakeBridge, emptySnapshot } from '../testing/fake-bridge.ts';
import { sampleBatch } from '../testing/sample-batch.ts';
import { createAppStore, createDeskClient, followDesk } from './store.tsx';

const bridgeTo = (answer: Envelope<unknown>, more: Partial<Bridge> = {}) => {
  const called = vi.fn();
  const calls = mapCalls((name) => async (input?: unknown) => {
    called(name, input);
    return answer;
  });
  return {
    called,
    bridge: { calls, cancel: () => {}, onEvent: () => {}, adoptDropped: async () => answer, ...more },
  };
};

it('calls by group and name and answers the value', async () => {
  const { bridge: fake, called } = bridgeTo({ ok: true, value: [] });
  expect(await createDeskClient(fake).assignments.knownFiles({ AssignmentId: 'a' })).toEqual([]);
  expect(called).toHaveBeenCalledExactlyOnceWith('assignments.knownFiles', { AssignmentId: 'a' });
});

it('cancels the calls in progress once their signal is aborted, and makes none with an aborted signal', async () => {
  const ids: (string | undefined)[] = [];
  const cancel = vi.fn();
  const calls = mapCalls(() => async (_input?: unknown, id?: string) => {
    ids.push(id);
    return { ok: true as const, value: undefined };
  });
  const { doctor, app } = createDeskClient(bridgeTo({ ok: true, value: undefined }, { calls, cancel }).bridge);
  const controller = new AbortController();
  await Promise.all([doctor.run(controller.signal), app.snapshot()]);
  expect(ids).toEqual([expect.any(String), undefined]);
  const running = doctor.run(controller.signal);
  controller.abort();
  await running;
  expect(cancel).toHaveBeenCalledExactlyOnceWith(ids[2]);
  await expect(doctor.run(controller.signal)).rejects.toMatchObject({ code: 'app/cancelled' });
});

it('throws an error as a DeskError', async () => {
  const error = { code: 'auth/required', message: 'no token', retry: 'never', details: {} } as const;
  const { bridge: fake } = bridgeTo({ ok: false, error });
  await expect(createDeskClient(fake).app.snapshot()).rejects.toMatchObject({
    name: 'DeskError',
    code: 'auth/required',
  });
});

it('parses the folders of a drop', async () => {
  const { bridge: fake } = bridgeTo({ ok: true, value: [{ folderId: 'f', name: 'Photos' }] });
  expect(await createDeskClient(fake).adoptDropped([])).toEqual([{ folderId: 'f', name: 'Photos' }]);
  await expect(createDeskClient(bridgeTo({ ok: true, value: 'x' }).bridge).adoptDropped([])).rejects.toThrow();
});

it('delivers events that parse and drops others', () => {
  let emit: (event: unknown) => void = () => {};
  const { bridge: fake } = bridgeTo(
    { ok: true, value: undefined },
    {
      onEvent: (listener) => {
        emit = listener;
      },
    },
  );
  const heard = vi.fn();
  createDeskClient(fake).onEvent(heard);
  emit({ revision: 1, type: 'connection' });
  emit({ revision: 2, type: 'unheard of' });
  expect(heard).toHaveBeenCalledExactlyOnceWith({ revision: 1, type: 'connection' });
});

const connection = (baseUrl: string): Connection => ({ baseUrl, authUrl: baseUrl, clientId: 'c', sample: false });

const snapshot = (revision: number, more: Partial<Snapshot> = {}): Snapshot => ({
  ...emptySnapshot,
  revision,
  session: { state: 'signed-out' },
  connection: connection('https://one.example'),
  ...more,
});

/** Creates a store whose main returns `snapshots` one after another, and then the last one again and again. */
const following = (...snapshots: readonly (Snapshot | DeskError)[]) => {
  let asked = 0;
  const ask = vi.fn(async () => {
    const answer = snapshots[Math.min(asked, snapshots.length - 1)];
    asked += 1;
    if (answer === undefined || answer instanceof DeskError) throw answer;
    return answer;
  });
  const { bridge, emit } = createFakeBridge({ app: { snapshot: ask, dismissNotices: () => {} } });
  const desk = createDeskClient(bridge);
  const store = createAppStore(desk);
  followDesk(store, desk);
  const settled = () => expect.poll(() => store.getState().projection.behind).toBe(false);
  return { store, ask, settled, emit };
};

const signedOut = (revision: number): DeskEvent => ({ revision, type: 'session', value: { state: 'signed-out' } });

const batch = (uploaded: number): Batch => ({ ...sampleBatch, files: 10, uploaded });

const progress = (revision: number, uploaded: number): DeskEvent => ({
  revision,
  type: 'batches',
  batches: [batch(uploaded)],
});

describe('the projection of main', () => {
  const at = (revision: number, uploaded = 0): Snapshot => snapshot(revision, { batches: [batch(uploaded)] });

  /** Creates a store as `following` does, and waits for the first snapshot. */
  const started = async (...snapshots: readonly Snapshot[]) => {
    const { store, settled, ...rest } = following(...snapshots);
    await settled();
    const projection = () => store.getState().projection;
    return { ...rest, store, settled, projection, uploaded: () => projection().snapshot?.batches[0]?.uploaded };
  };

  it('applies the next event', async () => {
    const { emit, projection, uploaded } = await started(at(4));
    emit(progress(5, 3));
    expect(uploaded()).toBe(3);
    expect(projection()).toMatchObject({ behind: false, snapshot: { revision: 5 } });
  });

  it('ignores an event that the snapshot covers', async () => {
    const { emit, projection } = await started(at(4));
    const before = projection();
    emit(progress(4, 3));
    expect(projection()).toBe(before);
  });

  it('falls behind at a gap and keeps its state', async () => {
    const { emit, projection, uploaded } = await started(at(4), at(6, 3));
    emit(progress(6, 3));
    expect(projection().behind).toBe(true);
    expect(uploaded()).toBe(0);
  });

  it('holds events back while behind and applies those that the snapshot does not cover', async () => {
    const { emit, ask, settled, projection, uploaded } = await started(at(4), at(7, 4));
    for (const event of [progress(6, 3), progress(7, 1), progress(8, 5)]) emit(event);
    await settled();
    expect(ask).toHaveBeenCalledTimes(2);
    expect(uploaded()).toBe(5);
    expect(projection().snapshot?.revision).toBe(8);
  });

  it('holds back the events that come before the first snapshot', async () => {
    const { store, emit, settled } = following(at(4));
    emit(progress(5, 3));
    expect(store.getState().projection.snapshot).toBeUndefined();
    await settled();
    expect(store.getState().projection.snapshot?.batches).toEqual([batch(3)]);
  });

  it('asks again when the events it held back have a gap themselves', async () => {
    const { emit, ask, settled, uploaded } = await started(at(4), at(6, 3), at(9, 7));
    emit(progress(6, 3));
    emit(progress(9, 7));
    await settled();
    expect(ask).toHaveBeenCalledTimes(3);
    expect(uploaded()).toBe(7);
  });

  it('keeps the objects of the batches that a new snapshot has not changed', async () => {
    const batches = (uploaded: number) => [batch(uploaded), { ...sampleBatch, batchId: 'other' }];
    const { store, projection } = await started(
      snapshot(4, { batches: batches(0) }),
      snapshot(5, { batches: batches(3) }),
    );
    const before = projection().snapshot;
    await store.getState().synchronise();
    const now = projection().snapshot;
    expect(now).toMatchObject({ revision: 5, batches: batches(3) });
    expect(now?.batches[1]).toBe(before?.batches[1]);
  });

  it('accepts a snapshot of an older revision: main has restarted', async () => {
    const { store, projection } = await started(at(40), at(1, 2));
    await store.getState().synchronise();
    expect(projection()).toMatchObject({ behind: false, snapshot: { revision: 1 } });
  });

  it('adds a new batch and a new notice', async () => {
    const { emit, projection } = await started(at(4));
    const other = { ...batch(0), batchId: '00000000-0000-4000-8000-000000000009' };
    const notice = { code: 'data/moved-aside', message: '', retry: 'never', details: {} } as const;
    emit({ revision: 5, type: 'batches', batches: [other] });
    emit({ revision: 6, type: 'notice', notice });
    expect(projection().snapshot).toMatchObject({ batches: [batch(0), other], notices: [notice] });
  });

  it('replaces a field of the snapshot, and drops it after an event without a value, which JSON leaves out', async () => {
    const { emit, projection } = await started(at(4));
    const reading = { stage: 'protocols', read: 1, total: 2 } as const;
    emit({ revision: 5, type: 'reading', value: reading });
    expect(projection().snapshot?.reading).toEqual(reading);
    emit(JSON.parse(JSON.stringify({ revision: 6, type: 'reading', value: undefined })));
    expect(projection().snapshot?.reading).toBeUndefined();
    expect(projection().snapshot?.batches).toEqual([batch(0)]);
  });

  it.each<readonly [DeskEvent, boolean]>([
    [{ revision: 5, type: 'connection' }, true],
    [{ revision: 5, type: 'session', value: { state: 'signed-in' } }, true],
    [signedOut(5), false],
  ])(
    'needs a snapshot when the connection or the user changes, since both have other batches: %o',
    async (event, behind) => {
      const { emit, projection } = await started(at(4));
      emit(event);
      expect(projection().behind).toBe(behind);
    },
  );
});

describe('the store', () => {
  it('asks for one snapshot at the start, and for none while no event is missing', async () => {
    const { store, ask, settled, emit } = following(snapshot(3));
    await settled();
    emit(signedOut(4));
    emit(signedOut(5));
    expect(store.getState().projection.snapshot?.revision).toBe(5);
    expect(ask).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['leaves an empty page of a new upload behind when it was started', undefined, 'overview'],
    ['keeps the page of a new upload where folders are left on it', { draftId: 'd' } as Draft, 'new-upload'],
  ])('%s', async (_, draft, before) => {
    const { store, settled } = following(snapshot(3, { draft }));
    await settled();
    const { open, showStarted, back } = store.getState();
    open({ name: 'overview' });
    open({ name: 'new-upload' });
    await showStarted('u1');
    expect(store.getState().history.place).toEqual({ name: 'upload', upload: 'u1' });
    back();
    expect(store.getState().history.place).toEqual({ name: before });
  });

  it('stays on the page of a new upload where folders could not be started', async () => {
    const reason = new DeskError('upload/folder-missing', 'gone', { details: { path: '/jobs/a' } });
    const { store, settled } = following(
      snapshot(3, { draft: { draftId: 'd', reason: toErrorData(reason) } as Draft }),
    );
    await settled();
    store.getState().open({ name: 'new-upload' });
    await store.getState().showStarted('u1');
    expect(store.getState().history.place).toEqual({ name: 'new-upload' });
  });

  it('stays on the page that was opened while the upload was being started', async () => {
    const { store, settled } = following(snapshot(3));
    await settled();
    const { open, showStarted } = store.getState();
    open({ name: 'new-upload' });
    const showing = showStarted('u1');
    open({ name: 'overview' });
    await showing;
    expect(store.getState().history.place).toEqual({ name: 'overview' });
  });

  it("reports why main's state cannot be read, and recovers", async () => {
    const { store, settled } = following(new DeskError('data/in-use', 'in use'), snapshot(1));
    await expect.poll(() => store.getState().failure?.code).toBe('data/in-use');
    await store.getState().synchronise();
    await settled();
    expect(store.getState().failure).toBeUndefined();
  });

  it('resets when the connection changes', async () => {
    const { store, settled, emit } = following(
      snapshot(3),
      snapshot(4, { connection: connection('https://two.example') }),
    );
    await settled();
    store.getState().give({ folders: [], AssignmentId: 'of the first service' });
    store.getState().open({ name: 'orderable-events' });
    emit({ revision: 4, type: 'connection', value: connection('https://two.example') });
    expect(store.getState().history).toMatchObject({ back: [], place: { name: 'protocols' } });
    expect(store.getState().given).toBeUndefined();
  });

  it('opens the last place, with its list one step back', async () => {
    const place = { name: 'batch', batch: 'b' } as const;
    const { store, settled } = following(
      snapshot(3, { views: { place: { service: 'https://one.example https://one.example c', place } } }),
    );
    await settled();
    expect(store.getState().history).toEqual({ back: [{ name: 'uploads' }], place, forward: [] });
  });

  it('shows the sign-in on the current page until another place is opened', async () => {
    const { store, settled } = following(snapshot(3));
    await settled();
    store.getState().requestSignIn();
    expect(store.getState().signInRequested).toBe(true);
    store.getState().open({ name: 'uploads' });
    expect(store.getState().signInRequested).toBe(false);
  });

  it('gives what was chosen in a menu to the shell once, and forgets what was chosen before a service is set up', async () => {
    const first = following(snapshot(3, { connection: undefined }));
    first.emit({ revision: 4, type: 'act', action: 'newUpload' });
    await expect.poll(() => first.store.getState().projection.snapshot?.revision).toBe(4);
    await first.store.getState().synchronise();
    expect(first.store.getState().take('asked')).toBeUndefined();

    const { store, settled, emit } = following(snapshot(3));
    emit({ revision: 4, type: 'act', action: 'settings' });
    await settled();
    await expect.poll(() => store.getState().asked).toBe('settings');
    expect(store.getState().take('asked')).toBe('settings');
    expect(store.getState().take('asked')).toBeUndefined();
  });

  it('returns each report once', async () => {
    const { store, settled } = following(snapshot(3));
    await settled();
    store.getState().report(new DeskError('app/unsupported', 'no'));
    store.getState().report(new Error('a bug'));
    expect(
      store
        .getState()
        .take('reports')
        .map(({ code }) => code),
    ).toEqual(['app/unsupported', 'app/bug']);
    expect(store.getState().take('reports')).toEqual([]);
  });

  it('dismisses the notices that were shown, not later ones', async () => {
    const notice = (message: string) => ({ code: 'app/bug', message, retry: 'never', details: {} }) as const;
    const { store, settled, emit } = following(snapshot(3, { notices: [notice('old')] }));
    await settled();
    const dismissed = store.getState().dismissNotices();
    emit({ revision: 4, type: 'notice', notice: notice('new') });
    await dismissed;
    expect(store.getState().projection.snapshot?.notices).toEqual([notice('new')]);
  });
});
