import { describe, expect, it } from 'vitest';
import type { DeskEvent, Snapshot } from '../../contract/app.ts';
import type { Batch } from '../../contract/uploads.ts';
import { emptySnapshot } from '../testing/fake-bridge.ts';
import { sampleBatch } from '../testing/sample-batch.ts';
import { nothingKnown, type Projection, withEvent, withSnapshot } from './projection.ts';

const batch = (uploaded: number): Batch => ({ ...sampleBatch, files: 10, uploaded });

const snapshot = (revision: number, uploaded = 0): Snapshot => ({
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

const current = (revision: number): Projection => withSnapshot(nothingKnown, snapshot(revision));
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
    const after = withSnapshot(behind, snapshot(7, 4));
    expect(uploadedOf(after)).toBe(5);
    expect(after).toMatchObject({ behind: false, snapshot: { revision: 8 }, waiting: [] });
  });

  it('holds back the events that come before the first snapshot', () => {
    const early = withEvent(nothingKnown, progress(5, 3));
    expect(early.snapshot).toBeUndefined();
    expect(uploadedOf(withSnapshot(early, snapshot(4)))).toBe(3);
  });

  it('stays behind when the events it held back have a gap themselves', () => {
    const behind = [progress(6, 3), progress(9, 7)].reduce(withEvent, current(4));
    const after = withSnapshot(behind, snapshot(6, 3));
    expect(after).toMatchObject({ behind: true, snapshot: { revision: 6 }, waiting: [{ revision: 9 }] });
    expect(uploadedOf(withSnapshot(after, snapshot(9, 7)))).toBe(7);
  });

  it('accepts a snapshot of an older revision: main has restarted', () => {
    expect(withSnapshot(current(40), snapshot(1, 2))).toMatchObject({ behind: false, snapshot: { revision: 1 } });
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

  it('needs a snapshot when the connection or the session changes, since both have other batches', () => {
    expect(withEvent(current(4), { revision: 5, type: 'connection' }).behind).toBe(true);
    expect(withEvent(current(4), { revision: 5, type: 'session', session: { state: 'signed-in' } }).behind).toBe(true);
    expect(withEvent(current(4), { revision: 5, type: 'session', session: { state: 'signed-out' } }).behind).toBe(
      false,
    );
  });
});
