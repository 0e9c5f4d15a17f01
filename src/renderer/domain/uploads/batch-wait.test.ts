import { describe, expect, it } from 'vitest';
import { NOTHING_ASKED, type Reachability } from '../../../contract/connection.ts';
import { DeskError, toErrorData } from '../../../contract/errors.ts';
import type { Batch } from '../../../contract/uploads.ts';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { waitOf } from './batch-wait.ts';

speakEnglish();

const reason = toErrorData(new DeskError('service/unreachable', 'gone', { retry: 'later' }));
const batch: Batch = {
  batchId: '00000000-0000-4000-8000-000000000001',
  uploadId: '00000000-0000-4000-8000-000000000001',
  AssignmentId: '00000000-0000-4000-8000-000000000002',
  root: '/home/anna/Photos',
  state: 'running',
  files: 10,
  uploaded: 4,
  skipped: 0,
  failed: 0,
  cancelled: 0,
  bytes: 100,
  bytesSent: 40,
  bytesPerSecond: 880_000,
  createdAtMs: 1,
  leftOut: { hidden: 0, system: 0, links: 0, special: 0, unreadable: 0 },
};
const online: Reachability = { service: { state: 'online' }, storage: { state: 'online' } };
const gone = { state: 'unreachable', host: 'a.example', sinceMs: 1, reason } as const;

describe('what an upload waits for', () => {
  it('is what the footer shows, regardless of the last reason of the batch', () => {
    expect(waitOf({ ...batch, reason }, online)).toBeUndefined();
    expect(waitOf(batch, NOTHING_ASKED)).toBeUndefined();
    expect(waitOf(batch, { ...online, service: gone })?.title).toMatch(/^The service has been unreachable since /);
    expect(waitOf(batch, { ...online, storage: gone })?.title).toContain('The file storage a.example');
  });

  it('B25: is the proxy where that cannot be reached, and a name where that is not found', () => {
    const proxy = { ...reason, code: 'network/proxy-unreachable', details: { proxy: 'proxy.example:8080' } } as const;
    for (const side of ['service', 'storage'] as const) {
      const wait = waitOf(batch, { ...online, [side]: { ...gone, reason: proxy } });
      expect(wait?.title).toMatch(/^The proxy proxy\.example:8080 has been unreachable since /);
      expect(wait?.todo).toContain('Check that the proxy is still correct');
    }
    const nameless = { ...reason, details: { origin: 'https://a.example', cause: 'ENOTFOUND' } };
    const wait = waitOf(batch, { ...online, service: { ...gone, reason: nameless } });
    expect(wait?.todo).toContain('The name of the server a.example could not be found.');
  });

  it('is a pause that a host asked for, with its end', () => {
    const held = { ...gone, state: 'held', untilMs: 2 } as const;
    expect(waitOf(batch, { ...online, service: held })).toMatchObject({ isShownAbove: true });
    expect(waitOf(batch, { ...online, storage: held })?.title).toMatch(/a\.example is not accepting requests until /);
    const own = { ...reason, code: 'service/busy', details: { until: 3 } } as const;
    expect(waitOf({ ...batch, reason: own }, online)?.title).toMatch(/is not accepting requests until /);
  });

  it('is nothing for one that is not in progress', () => {
    expect(waitOf({ ...batch, state: 'paused', reason }, { ...online, service: gone })).toBeUndefined();
  });
});
