import { expect, test } from 'vitest';
import { createHostSpeech } from '../../../../words/speech.ts';
import { createProgressLine } from './follow.ts';
import { createOutput } from './output.ts';

const english = await createHostSpeech('en');

const half = {
  batchId: 'b1',
  uploadId: 'u1',
  AssignmentId: 'a1',
  root: '/folder',
  state: 'running',
  files: 2,
  uploaded: 1,
  skipped: 0,
  failed: 0,
  cancelled: 0,
  bytes: 2_000_000,
  bytesSent: 1_000_000,
  bytesPerSecond: 500_000,
  createdAtMs: 1,
  leftOut: { hidden: 0, system: 0, links: 0, special: 0, unreadable: 0 },
} as const;

test('the line of a terminal has a speed only while bytes are sent', () => {
  const written: string[] = [];
  const terminal = { isTTY: true, columns: 200, write: (text: string) => written.push(text) };
  const show = createProgressLine(createOutput(false, terminal, terminal, english));
  show(half);
  expect(written.join('')).toContain('████████████░░░░░░░░░░░░ 1/2 files  1 MB of 2 MB  500 kB/s');
  written.length = 0;
  show({ ...half, state: 'finished', uploaded: 2, bytesSent: half.bytes, bytesPerSecond: 0 });
  expect(written.join('')).toContain('████████████████████████ 2/2 files  2 MB of 2 MB');
  expect(written.join('')).not.toContain('/s');
});
