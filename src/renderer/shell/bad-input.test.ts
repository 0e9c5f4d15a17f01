import { expect, it } from 'vitest';
import type { ProtocolSummary } from '../../contract/resources.ts';
import { type Batch, batchName } from '../../contract/uploads.ts';
import { batchResult, findBatches, protocolResult } from '../features/search/search-results.tsx';
import { placeKey } from '../state/store.tsx';
import { formatDay, formatMoment, toMilliseconds } from '../words/dates.ts';
import { speakEnglish } from '../words/testing/speak-english.ts';

speakEnglish();

const texts = [
  '',
  'x'.repeat(10_000),
  'שלום עולם',
  '\u202Eevil',
  '👩‍👩‍👧‍👦🏠',
  '<img src=x onerror=alert(1)>',
  '\0',
  '$t(common.close)',
];
const numbers = [0, -1, 1e20, Number.MAX_SAFE_INTEGER, Number.MIN_VALUE];

it.each(texts)('takes any text of the service as it comes: %.20s', (text) => {
  const protocol: ProtocolSummary = {
    Address: text,
    City: text,
    ZipCode: text,
    FacilityId: text,
    InspectionProtocolId: text,
    InspectionDate: 0,
    Points: 0,
  };
  expect(placeKey({ name: 'protocol', protocol })).toContain(text);
  expect(protocolResult(protocol, text).title).toBe(text);
  const batch = { batchId: 'b', AssignmentId: 'a', root: `/${text}`, createdAtMs: 1 } as Batch;
  expect(batchResult(batch, text).title).toBe(batchName(batch));
  // A text without a word finds nothing.
  expect(findBatches([batch], text)).toHaveLength(/[\p{L}\p{N}]/u.test(text) ? 1 : 0);
});

it.each(numbers)('shows any number of the service as a time or a dash: %d', (raw) => {
  expect(formatDay(toMilliseconds(raw))).toMatch(/./);
  expect(formatMoment(toMilliseconds(raw))).toMatch(/./);
});
