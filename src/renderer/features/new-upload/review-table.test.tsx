import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { DraftRow } from '../../../contract/drafts.ts';
import { sampleDraftRow as row } from '../../testing/sample-draft-row.ts';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { rowColumns } from './review-table.tsx';

speakEnglish();

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

it('has one tooltip in the cell of the match, with the reasons', () => {
  const reasons = [{ signal: 'confirmed', found: 'Elveveien 97' }] as const;
  const shown = match('matched', { ...row, choice: 'assignment', chosenBy: 'match', certainty: 0.97, reasons });
  expect(shown.match(/title="[^"]*"/g)).toEqual([
    'title="Certain\nYou chose this assignment for “Elveveien 97” before."',
  ]);
});
