import { expect, test } from 'vitest';
import type { Batch } from '../../../contract/uploads.ts';
import { groupUploads, searchTexts } from '../../domain/uploads/batch-words.ts';
import { anyTime, type UploadPeriod } from '../../domain/uploads/period-choice.tsx';
import { sampleBatch } from '../../testing/sample-batch.ts';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { isShownBy, namesIn } from './uploads-page.tsx';

speakEnglish();

const NOW = new Date(2026, 5, 15, 14, 0);
const at = (...day: [number, number, number]): number => new Date(...day).getTime();

const batch = (root: string, title: string, more: Partial<Batch> = {}): Batch => ({
  ...sampleBatch,
  batchId: root,
  uploadId: root,
  root,
  title,
  state: 'finished',
  createdAtMs: at(2026, 5, 15),
  ...more,
});
const together = { uploadId: 'together', createdAtMs: at(2026, 5, 1) };
const uploads = groupUploads([
  batch('/jobs/Elveveien 97', '97 Elveveien, Oslo', together),
  batch('/jobs/Mill Street', '12 Mill Street, York', { ...together, state: 'paused' }),
  batch('/photos', '4 High Road, York', { failed: 1 }),
  batch('/plans', '5 High Road, York', { state: 'running', createdAtMs: at(2026, 5, 14) }),
  batch('/old', '6 High Road, York', { state: 'cancelled', createdAtMs: at(2024, 0, 1) }),
  batch('/done', '7 High Road, York'),
]);

const shown = (filter: Partial<Parameters<typeof isShownBy>[0]>): readonly string[] =>
  uploads
    .filter(isShownBy({ text: '', state: undefined, period: anyTime, ...filter }, NOW, searchTexts(namesIn)))
    .map(({ uploadId }) => uploadId)
    .toSorted();

test('by the names of any of its folders or assignments', () => {
  expect(shown({ text: 'elveveien' })).toEqual(['together']);
  expect(shown({ text: ' MILL ' })).toEqual(['together']);
  expect(shown({ text: 'york MÍLL' })).toEqual(['together']);
  expect(shown({ text: 'high road' })).toEqual(['/done', '/old', '/photos', '/plans']);
  expect(shown({ text: 'jobs' }), 'it is named after the folder above').toEqual(['together']);
});

test('by state', () => {
  expect(shown({ state: 'active' })).toEqual(['/plans']);
  expect(shown({ state: 'paused' })).toEqual(['together']);
  expect(shown({ state: 'finished' })).toEqual(['/done']);
  expect(shown({ state: 'failures' })).toEqual(['/photos']);
  expect(shown({ state: 'cancelled' })).toEqual(['/old']);
});

test('by the period it started in, in whole days', () => {
  const period = (name: UploadPeriod['name'], days: Partial<UploadPeriod> = {}) => ({
    period: { ...anyTime, name, ...days },
  });
  expect(shown(period('today'))).toEqual(['/done', '/photos']);
  expect(shown(period('week'))).toEqual(['/done', '/photos', '/plans']);
  expect(shown(period('thisMonth'))).toEqual(['/done', '/photos', '/plans', 'together']);
  expect(shown(period('lastMonth'))).toEqual([]);
  expect(shown(period('days', { fromDay: '2026-06-01', toDay: '2026-06-14' }))).toEqual(['/plans', 'together']);
  expect(shown(period('days', { toDay: '2025-01-01' }))).toEqual(['/old']);
  expect(shown({ ...period('thisMonth'), state: 'paused', text: 'york' })).toEqual(['together']);
});
