import type { DraftRow } from '../../contract/drafts.ts';

/** A folder of a new upload for which no assignment has been chosen. */
export const sampleDraftRow: DraftRow = {
  rowId: 1,
  path: 'Jobs 2026/Elveveien 97',
  name: 'Elveveien 97',
  files: 3,
  bytes: 300,
  toSend: { files: 3, bytes: 300 },
  sent: { files: 0, bytes: 0 },
  leftOut: { files: 0, bytes: 0 },
  choice: 'undecided',
  reasons: [],
  candidates: 1,
  warnings: [],
};
