// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { DeskError } from '../../../contract/errors.ts';
import type { AssignmentSummary } from '../../../contract/resources.ts';
import type { Found } from '../../../contract/search.ts';
import { renderPage } from '../../testing/render-page.tsx';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { TargetField } from './target-field.tsx';

speakEnglish();

const target = (AssignmentId: string): AssignmentSummary => ({
  AssignmentId,
  FacilityId: '',
  AssignmentStatus: '',
  FirstName: '',
  LastName: '',
  Address: '',
  City: '',
  Performer: '',
  StartTime: 0,
});

const foundOf = (id: string): Found => ({
  protocols: [],
  protocolTotal: 0,
  assignments: [target(id)],
  assignmentTotal: 1,
  cached: 0,
});

const type = (value: string) => fireEvent.input(screen.getByRole('combobox'), { target: { value } });

const NOTHING = 'No assignments found.';

it('keeps what was found for the text before until the next is answered', async () => {
  const open: (() => void)[] = [];
  await renderPage(<TargetField chosenId={undefined} onChoose={() => {}} />, {
    search: {
      find: async ({ text }) => {
        if (text === 'mill street') await new Promise<void>((resolve) => open.push(resolve));
        return text === 'mill' ? foundOf(text) : { ...foundOf(text), assignments: [] };
      },
    },
  });
  fireEvent.click(screen.getByRole('combobox'));
  type('mill');
  const option = await screen.findByRole('option');
  type('mill street');
  await waitFor(() => expect(open).toHaveLength(1));
  expect(option.isConnected).toBe(true);
  act(() => open[0]?.());
  await screen.findByRole('option', { name: NOTHING });
});

it('asks nothing for an empty text, and says why a search failed', async () => {
  const { called } = await renderPage(<TargetField chosenId={undefined} onChoose={() => {}} />, {
    search: {
      find: () => {
        throw new DeskError('data/unwritable', 'no');
      },
    },
  });
  fireEvent.click(screen.getByRole('combobox'));
  type('');
  expect(called).not.toContain('search.find');
  expect(screen.queryByRole('option')).toBeNull();
  type('mill');
  await screen.findByRole('option', { name: /cannot write/ });
});

it('tells apart assignments of one customer at one address', async () => {
  const year = (StartTime: number): AssignmentSummary => ({
    ...target(`${StartTime}`),
    Address: '12 Mill Street',
    City: 'York',
    FirstName: 'Anna',
    StartTime,
    Performer: 'Fjord Bygg',
    AssignmentStatus: 'PLANNED',
  });
  const assignments = [year(Date.UTC(2025, 2, 9, 12)), year(Date.UTC(2026, 2, 9, 12))];
  await renderPage(<TargetField chosenId={undefined} onChoose={() => {}} />, {
    search: { find: () => ({ ...foundOf('mill'), assignments }) },
  });
  fireEvent.click(screen.getByRole('combobox'));
  type('mill');
  const options = await screen.findAllByRole('option');
  expect(options.map(({ textContent }) => textContent)).toEqual([
    '12 Mill Street, York · Anna · Mar 9, 2025 · Fjord Bygg · Planned',
    '12 Mill Street, York · Anna · Mar 9, 2026 · Fjord Bygg · Planned',
  ]);
});
