// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { createRef } from 'react';
import { afterEach, expect, it } from 'vitest';
import type { DraftCandidate } from '../../../contract/drafts.ts';
import { DeskError } from '../../../contract/errors.ts';
import { renderPage } from '../../testing/render-page.tsx';
import { sampleDraftRow } from '../../testing/sample-draft-row.ts';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { draggedRows } from './review-table.tsx';
import { CandidateBox } from './row-panel.tsx';

speakEnglish();

const candidate = (no: number, AssignmentStatus: string): DraftCandidate => {
  const AssignmentId = `00000000-0000-4000-8000-00000000000${no}`;
  const place = { FacilityId: 'F1', Address: `Elveveien ${no}`, City: 'Oslo' };
  const assignment = {
    ...place,
    AssignmentId,
    AssignmentStatus,
    FirstName: '',
    LastName: '',
    Performer: '',
    StartTime: 0,
  };
  return { AssignmentId, certainty: 0.5, reasons: [], assignment };
};

const cancelled = candidate(1, 'CANCELLED');
const open = candidate(2, 'PENDING');
const other = candidate(3, 'PENDING');

let chosen: string[] = [];
afterEach(() => {
  cleanup();
  chosen = [];
});

/** Shows the `candidates` of a folder that goes to `chosenId`, after `text` was typed. */
const show = async (candidates: readonly DraftCandidate[], chosenId?: string, text = '') => {
  const found = { candidates: [...candidates], total: candidates.length };
  await renderPage(
    <CandidateBox
      row={{ ...sampleDraftRow, ...(chosenId && { choice: 'assignment', AssignmentId: chosenId }) }}
      input={createRef<HTMLInputElement>()}
      onChoose={({ AssignmentId }) => chosen.push(AssignmentId)}
      spaceHint=""
      onSpace={() => chosen.push('left out')}
      onDrop={({ AssignmentId }) => chosen.push(`dropped on ${AssignmentId}`)}
    />,
    { drafts: { candidates: () => found } },
  );
  const field = screen.getByRole('combobox');
  fireEvent.change(field, { target: { value: text } });
  await screen.findByRole('listbox', { name: text === '' ? 'Possible assignments' : 'Assignments found' });
  await screen.findAllByRole('option');
  const press = (key: string, more: KeyboardEventInit = {}) => fireEvent.keyDown(field, { key, ...more });
  return { field, press };
};

const highlighted = () => screen.queryByRole('option', { selected: true })?.textContent ?? '';

it('highlights the assignment that is ticked, wherever it stands in the list', async () => {
  const { press } = await show([open, cancelled, other], other.AssignmentId);
  expect(highlighted()).toMatch(/^Elveveien 3/);
  press('Enter');
  expect(chosen).toEqual([other.AssignmentId]);
});

it.each(['', 'elve'])('Enter chooses no closed assignment that nobody went to (searched: “%s”)', async (text) => {
  const { press } = await show([cancelled, open], undefined, text);
  expect(highlighted()).toMatch(/^Elveveien 2/);
  press('Enter');
  expect(chosen).toEqual([open.AssignmentId]);
});

it('where all are closed Enter chooses none, and the hint says how to choose one', async () => {
  const { field, press } = await show([cancelled, candidate(4, 'Completed')]);
  press('Enter');
  expect(chosen).toEqual([]);
  expect(field.getAttribute('aria-activedescendant')).toBeNull();
  expect(screen.getByText(/^The best match is closed\. Press ↓/)).toBeDefined();
  press('ArrowDown');
  expect(highlighted()).toMatch(/^Elveveien 1/);
  press('Enter');
  expect(chosen).toEqual([cancelled.AssignmentId]);
});

it('says of the best match alone that it is closed, where a less certain one is open', async () => {
  await show([cancelled, { ...open, certainty: 0.2 }]);
  expect(screen.getByText(/^The best match is closed\. Press ↓/)).toBeDefined();
});

it('a click on an assignment leaves the focus in the field, so that the next Enter decides', async () => {
  await show([open]);
  const option = screen.getByRole('option');
  expect(fireEvent.mouseDown(option)).toBe(false);
  fireEvent.click(option);
  expect(chosen).toEqual([open.AssignmentId]);
});

it('chooses a candidate by Alt and its number, and leaves the number alone to the search', async () => {
  const { press } = await show([open, other]);
  expect(press('2', { code: 'Digit2' })).toBe(true);
  press('3', { code: 'Digit3', altKey: true });
  expect(chosen).toEqual([]);
  // On a Mac, Option and 2 type “™”, but they choose the second candidate nevertheless.
  press('™', { code: 'Digit2', altKey: true });
  expect(chosen).toEqual([other.AssignmentId]);
});

it('shows once what all candidates share, and marks what differs', async () => {
  const city = { signal: 'city', found: 'Oslo' } as const;
  const date = { signal: 'date', found: '2026', against: true } as const;
  await show([
    { ...open, reasons: [city, date] },
    { ...other, reasons: [city], certainty: 0.8 },
  ]);
  expect(screen.getByText('For all of these:').parentElement?.textContent).toBe('For all of these:“Oslo” is its city.');
  const [first, second] = screen.getAllByRole('option').map(({ textContent }) => textContent);
  expect(first).toBe('Elveveien 2, OsloPendingUncertainThe date “2026” differs.');
  expect(second).toBe('Elveveien 3, OsloPendingLikely');
});

it.each([
  { what: 'a folder of the table', type: draggedRows, isTaken: true },
  { what: 'files of another program', type: 'Files', isTaken: false },
])('takes $what that is dropped on an assignment: $isTaken', async ({ type, isTaken }) => {
  await show([open]);
  const drop = Object.assign(new Event('drop', { bubbles: true, cancelable: true }), {
    dataTransfer: { types: [type] },
  });
  fireEvent(screen.getByRole('option'), drop);
  expect(chosen).toEqual(isTaken ? [`dropped on ${open.AssignmentId}`] : []);
});

it('says why a search failed, and does not choose later what Enter was pressed for', async () => {
  let isBroken = true;
  const { client } = await renderPage(
    <CandidateBox
      row={sampleDraftRow}
      input={createRef<HTMLInputElement>()}
      onChoose={({ AssignmentId }) => chosen.push(AssignmentId)}
      spaceHint=""
      onSpace={() => {}}
      onDrop={() => {}}
    />,
    {
      drafts: {
        candidates: () => {
          if (isBroken) throw new DeskError('data/unwritable', 'no');
          return { candidates: [open], total: 1 };
        },
      },
    },
  );
  fireEvent.keyDown(screen.getByRole('combobox'), { key: 'Enter' });
  await waitFor(() => expect(screen.getByRole('status').textContent).toMatch(/cannot write/));
  isBroken = false;
  await client.invalidateQueries();
  await screen.findAllByRole('option');
  expect(chosen).toEqual([]);
});
