// @vitest-environment happy-dom

import { fireEvent, screen } from '@testing-library/react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { Draft, DraftRow } from '../../../contract/drafts.ts';
import { renderPage } from '../../testing/render-page.tsx';
import { sampleDraftRow as row } from '../../testing/sample-draft-row.ts';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { ReviewTable, rowColumns } from './review-table.tsx';

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

it.each(['ready', 'updating'] as const)(
  'accepts a proposal by the keyboard only where the button does: %s',
  async (phase) => {
    const accepted: DraftRow[] = [];
    const none = () => {};
    await renderPage(
      <ReviewTable
        handle={{ current: null }}
        draft={{ phase, counts: { undecided: 1 } } as Draft}
        found={{ count: 1, rowAt: () => row, isLoading: false } as never}
        question={{ filter: 'all', text: '' } as never}
        selection={{ ids: new Set(), has: () => false, none } as never}
        shownId={undefined}
        onAsk={none}
        onActive={none}
        onOpen={none}
        onInclude={none}
        onDrag={none}
        onAccept={(of) => accepted.push(of)}
      />,
    );
    fireEvent.keyDown(screen.getAllByRole('rowgroup').at(-1) as HTMLElement, { key: 'Enter', ctrlKey: true });
    expect(accepted).toEqual(phase === 'ready' ? [row] : []);
  },
);
