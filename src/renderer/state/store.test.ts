import { describe, expect, it, vi } from 'vitest';
import type { DeskEvent, Snapshot } from '../../contract/app.ts';
import { type Bridge, type CallBridge, mapCalls } from '../../contract/calls.ts';
import type { Connection } from '../../contract/connection.ts';
import type { Draft } from '../../contract/drafts.ts';
import { DeskError, type Envelope } from '../../contract/errors.ts';
import type { Batch } from '../../contract/uploads.ts';
import { createFakeBridge, emptySnapshot } from '../testing/fake-bridge.ts';
import { sampleBatch } from '../testing/sample-batch.ts';
import {
  createAppStore,
  createDeskClient,
  followDesk,
  nothingKnown,
  type Projection,
  toLastPlace,
  withEvent,
  withSnapshot,
} from './store.tsx';

const bridgeTo = (answer: Envelope<unknown>, more: Partial<Bridge> = {}) => {
  const called = vi.fn();
  const calls: CallBridge = mapCalls((name) => async (input?: unknown) => {
    called(name, input);
    return answer;
  });
  return {
    called,
    bridge: { calls, cancel: () => {}, onEvent: () => () => {}, adoptDropped: async () => answer, ...more },
  };
};

it('calls by group and name and answers the value', async () => {
  const { bridge: fake, called } = bridgeTo({ ok: true, value: [] });
  expect(await createDeskClient(fake).assignments.knownFiles({ AssignmentId: 'a' })).toEqual([]);
  expect(called).toHaveBeenCalledExactlyOnceWith('assignments.knownFiles', { AssignmentId: 'a' });
});

it('cancels a call once its signal is aborted, and makes none with an aborted signal', async () => {
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
  controller.abort();
  expect(cancel).toHaveBeenCalledExactlyOnceWith(ids[0]);
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
        return () => {};
      },
    },
  );
  const heard = vi.fn();
  createDeskClient(fake).onEvent(heard);
  emit({ revision: 1, type: 'connection' });
  emit({ revision: 2, type: 'unheard of' });
  expect(heard).toHaveBeenCalledExactlyOnceWith({ revision: 1, type: 'connection' });
});

const batch = (uploaded: number): Batch => ({ ...sampleBatch, files: 10, uploaded });

const uploadedSnapshot = (revision: number, uploaded = 0): Snapshot => ({
  ...emptySnapshot,
  revision,
  session: { state: 'signed-out' },
  batches: [batch(uploaded)],
});

const progress = (revision: number, uploaded: number): DeskEvent => ({
  revision,
  type: 'batches',
  batches: [batch(uploaded)],
});

const current = (revision: number): Projection => withSnapshot(nothingKnown, uploadedSnapshot(revision));
const uploadedOf = ({ snapshot }: Projection): number | undefined => snapshot?.batches[0]?.uploaded;

describe('the projection of main', () => {
  it('applies the next event', () => {
    const after = withEvent(current(4), progress(5, 3));
    expect(uploadedOf(after)).toBe(3);
    expect(after).toMatchObject({ behind: false, snapshot: { revision: 5 } });
  });

  it('ignores an event that the snapshot covers', () => {
    const before = current(4);
    expect(withEvent(before, progress(4, 3))).toBe(before);
  });

  it('falls behind at a gap and keeps its state', () => {
    const after = withEvent(current(4), progress(6, 3));
    expect(after.behind).toBe(true);
    expect(uploadedOf(after)).toBe(0);
  });

  it('holds events back while behind and applies those that the snapshot does not cover', () => {
    const behind = [progress(6, 3), progress(7, 4), progress(8, 5)].reduce(withEvent, current(4));
    const after = withSnapshot(behind, uploadedSnapshot(7, 4));
    expect(uploadedOf(after)).toBe(5);
    expect(after).toMatchObject({ behind: false, snapshot: { revision: 8 }, waiting: [] });
  });

  it('holds back the events that come before the first snapshot', () => {
    const early = withEvent(nothingKnown, progress(5, 3));
    expect(early.snapshot).toBeUndefined();
    expect(uploadedOf(withSnapshot(early, uploadedSnapshot(4)))).toBe(3);
  });

  it('stays behind when the events it held back have a gap themselves', () => {
    const behind = [progress(6, 3), progress(9, 7)].reduce(withEvent, current(4));
    const after = withSnapshot(behind, uploadedSnapshot(6, 3));
    expect(after).toMatchObject({ behind: true, snapshot: { revision: 6 }, waiting: [{ revision: 9 }] });
    expect(uploadedOf(withSnapshot(after, uploadedSnapshot(9, 7)))).toBe(7);
  });

  it('accepts a snapshot of an older revision: main has restarted', () => {
    expect(withSnapshot(current(40), uploadedSnapshot(1, 2))).toMatchObject({
      behind: false,
      snapshot: { revision: 1 },
    });
  });

  it('adds a new batch and a new notice', () => {
    const other = { ...batch(0), batchId: '00000000-0000-4000-8000-000000000009' };
    const notice = { code: 'data/moved-aside', message: '', retry: 'never', details: {} } as const;
    const events: readonly DeskEvent[] = [
      { revision: 5, type: 'batches', batches: [other] },
      { revision: 6, type: 'notice', notice },
    ];
    const { snapshot: after } = events.reduce(withEvent, current(4));
    expect(after?.batches.map(({ batchId }) => batchId)).toEqual([batch(0).batchId, other.batchId]);
    expect(after?.notices).toEqual([notice]);
  });

  it('replaces a field of the snapshot, and drops it after an event without a value, which JSON leaves out', () => {
    const reading = { stage: 'protocols', read: 1, total: 2 } as const;
    const events: readonly DeskEvent[] = [
      { revision: 5, type: 'reading', value: reading },
      JSON.parse(JSON.stringify({ revision: 6, type: 'reading', value: undefined })),
    ];
    const [first, last] = events.map((_, at) => events.slice(0, at + 1).reduce(withEvent, current(4)).snapshot);
    expect([first?.reading, last?.reading]).toEqual([reading, undefined]);
    expect(last?.batches).toEqual(current(4).snapshot?.batches);
  });

  it('needs a snapshot when the connection or the session changes, since both have other batches', () => {
    expect(withEvent(current(4), { revision: 5, type: 'connection' }).behind).toBe(true);
    expect(withEvent(current(4), { revision: 5, type: 'session', value: { state: 'signed-in' } }).behind).toBe(true);
    expect(withEvent(current(4), { revision: 5, type: 'session', value: { state: 'signed-out' } }).behind).toBe(false);
  });
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

  it('asks for one snapshot after a gap, however many events follow', async () => {
    const { store, ask, settled, emit } = following(snapshot(3), snapshot(6));
    await settled();
    emit(signedOut(5));
    emit(signedOut(6));
    emit(signedOut(7));
    await settled();
    expect(ask).toHaveBeenCalledTimes(2);
    expect(store.getState().projection.snapshot?.revision).toBe(7);
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
    store.getState().open({ name: 'orderable-events' });
    emit({ revision: 4, type: 'connection', value: connection('https://two.example') });
    expect(store.getState().history).toMatchObject({ back: [], place: { name: 'protocols' } });
  });

  it('opens the last place, with its list one step back', async () => {
    const place = { name: 'batch', batch: 'b' } as const;
    const { store, settled } = following(
      snapshot(3, { views: { place: toLastPlace(place, connection('https://one.example')) } }),
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
    expect(first.store.getState().takeAsked()).toBeUndefined();

    const { store, settled, emit } = following(snapshot(3));
    emit({ revision: 4, type: 'act', action: 'settings' });
    await settled();
    await expect.poll(() => store.getState().asked).toBe('settings');
    expect(store.getState().takeAsked()).toBe('settings');
    expect(store.getState().takeAsked()).toBeUndefined();
  });

  it('returns each report once', async () => {
    const { store, settled } = following(snapshot(3));
    await settled();
    store.getState().report(new DeskError('app/unsupported', 'no'));
    store.getState().report(new Error('a bug'));
    expect(
      store
        .getState()
        .takeReports()
        .map(({ code }) => code),
    ).toEqual(['app/unsupported', 'app/bug']);
    expect(store.getState().takeReports()).toEqual([]);
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
