import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { DraftRow } from '../../../contract/drafts.ts';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { rowColumns } from './row-columns.tsx';

speakEnglish();

const row: DraftRow = {
  rowId: 1,
  path: 'Jobs 2026/Elveveien 97',
  name: 'Elveveien 97',
  files: 3,
  bytes: 300,
  choice: 'undecided',
  reasons: [],
  candidates: 0,
  warnings: [],
};

const match = (when: keyof typeof rowColumns, shown: DraftRow): string =>
  renderToStaticMarkup(rowColumns[when].wide.find(({ id }) => id === 'Match')?.cell(shown));

it('calls a folder unmatched only once it has been matched', () => {
  expect(match('before', row)).not.toContain('No match');
  expect(match('matched', row)).toContain('No match');
});

it('says at any time what a person has chosen', () => {
  expect(match('before', { ...row, choice: 'assignment', chosenBy: 'person' })).toContain('Chosen by you');
  expect(match('before', { ...row, choice: 'left-out', chosenBy: 'person' })).toContain('Left out');
});
