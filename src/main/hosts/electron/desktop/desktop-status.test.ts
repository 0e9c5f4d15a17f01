import { describe, expect, it } from 'vitest';
import { NOTHING_ASKED, type Reachability } from '../../../../contract/connection.ts';
import { DeskError, toErrorData } from '../../../../contract/errors.ts';
import type { Batch } from '../../../../contract/uploads.ts';
import type { WatchedFolder } from '../../../../contract/watched-folders.ts';
import { closingOf, desktopStatus } from './desktop-status.ts';

const batch = (uploadId: string, state: Batch['state'], more: Partial<Batch> = {}): Batch => ({
  ...{
    batchId: `${uploadId} ${state}`,
    uploadId,
    state,
    AssignmentId: 'one',
    root: '/home/anna/Photos',
    createdAtMs: 0,
  },
  ...{ files: 10, uploaded: 4, skipped: 0, failed: 0, cancelled: 0, bytes: 100, bytesSent: 40, bytesPerSecond: 9 },
  leftOut: { hidden: 0, system: 0, links: 0, special: 0, unreadable: 0 },
  ...more,
});
const reason = (code: 'auth/expired' | 'upload/scheduled' | 'upload/cancelling' | 'service/unreachable') =>
  toErrorData(new DeskError(code, ''));
const gone: Reachability = {
  service: { state: 'online' },
  storage: { state: 'unreachable', host: 'a.example', sinceMs: 1, reason: reason('service/unreachable') },
};
const watched = (paused: boolean) => [{ paused } as WatchedFolder];
const statusOf = (batches: readonly Batch[], reachability = NOTHING_ASKED, watchedFolders: WatchedFolder[] = []) =>
  desktopStatus({ batches, reachability, watchedFolders });

describe('the status of the desk', () => {
  it('counts uploads, not their folders', () => {
    const { active, progress } = statusOf([
      batch('a', 'running'),
      batch('a', 'scanning', { uploaded: 1 }),
      batch('b', 'finished', { uploaded: 10, bytesSent: 100 }),
    ]);
    expect(active).toEqual(['a']);
    expect(progress).toBeCloseTo(0.25, 3);
  });

  it('has progress where all files are empty, and none without an upload', () => {
    expect(statusOf([batch('a', 'running', { bytes: 0, bytesSent: 0 })]).progress).toBe(0.4);
    expect(statusOf([batch('a', 'scanning', { bytes: 0, bytesSent: 0, files: 0, uploaded: 0 })]).progress).toBe(0);
    expect(statusOf([]).progress).toBeUndefined();
  });

  it('tells pauses apart', () => {
    const status = statusOf([
      batch('by the person', 'paused'),
      batch('by the sign-in', 'paused', { reason: reason('auth/expired') }),
      batch('by its hours', 'paused', { reason: reason('upload/scheduled') }),
      batch('by being cancelled', 'paused', { reason: reason('upload/cancelling') }),
    ]);
    expect(status).toMatchObject({
      active: [],
      paused: ['by the person'],
      stopped: ['by the sign-in'],
      scheduled: ['by its hours'],
    });
  });

  it('waits only while an upload is in progress', () => {
    expect(statusOf([batch('a', 'running')], gone).waits).toBe(true);
    expect(statusOf([batch('a', 'paused')], gone).waits).toBe(false);
  });

  it('watches unless every folder is paused', () => {
    expect(statusOf([], NOTHING_ASKED, watched(false)).watches).toBe(true);
    expect(statusOf([], NOTHING_ASKED, watched(true)).watches).toBe(false);
  });
});

describe('closing the window', () => {
  const idle = statusOf([batch('a', 'finished'), batch('b', 'paused')]);
  const busy = statusOf([batch('a', 'running')]);
  const later = statusOf([batch('a', 'paused', { reason: reason('upload/scheduled') })]);
  const watching = statusOf([], NOTHING_ASKED, watched(false));

  it('closes it when nothing would be interrupted', () => {
    expect(closingOf(idle, true, true)).toBe('close');
    expect(closingOf(watching, false, true)).toBe('close');
  });

  it.each([
    ['an upload', busy],
    ['a later upload', later],
    ['watched folders', watching],
  ] as const)('keeps %s running', (_, status) => {
    expect(closingOf(status, true, true)).toBe('background');
    expect(closingOf(status, true, false)).toBe('minimise');
  });

  it('asks if uploads are not to be kept running', () => {
    expect(closingOf(busy, false, true)).toBe('ask');
    expect(closingOf(later, false, false)).toBe('ask');
  });
});
