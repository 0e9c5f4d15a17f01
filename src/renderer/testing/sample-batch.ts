import type { Batch } from '../../contract/uploads.ts';

/** An upload in progress with no files yet. */
export const sampleBatch: Batch = {
  batchId: '00000000-0000-4000-8000-000000000001',
  uploadId: '00000000-0000-4000-8000-000000000001',
  AssignmentId: '00000000-0000-4000-8000-0000000000a1',
  root: '/folder',
  state: 'running',
  files: 0,
  uploaded: 0,
  skipped: 0,
  failed: 0,
  cancelled: 0,
  bytes: 0,
  bytesSent: 0,
  bytesPerSecond: 0,
  createdAtMs: 1,
  leftOut: { hidden: 0, system: 0, links: 0, special: 0, unreadable: 0 },
};
