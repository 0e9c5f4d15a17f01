// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { DeskError } from '../../../contract/errors.ts';
import type { AssignmentSummary } from '../../../contract/resources.ts';
import type { Found } from '../../../contract/search.ts';
import { renderPage } from '../../testing/render-page.tsx';
import { createTestWindow } from '../../testing/render-query.tsx';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { TargetField, useFoundTargets } from './target-field.tsx';

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

it('keeps what was found for the text before, with that text, until the next is answered', async () => {
  const open: (() => void)[] = [];
  const { render } = await createTestWindow({
    search: {
      find: async ({ text }) => {
        if (text === 'mill street') await new Promise<void>((resolve) => open.push(resolve));
        return foundOf(text);
      },
    },
  });
  const { result, rerender } = render(useFoundTargets, 'mill');
  expect(result.current).toBeUndefined();
  await waitFor(() => expect(result.current).toEqual({ text: 'mill', assignments: [target('mill')] }));
  rerender('mill street');
  await waitFor(() => expect(open).toHaveLength(1));
  expect(result.current?.text).toBe('mill');
  act(() => open[0]?.());
  await waitFor(() => expect(result.current).toEqual({ text: 'mill street', assignments: [target('mill street')] }));
});

it('asks nothing for an empty text, and finds nothing if the search fails', async () => {
  const { render, called } = await createTestWindow({
    search: {
      find: () => {
        throw new DeskError('data/unwritable', 'no');
      },
    },
  });
  const { result, rerender } = render(useFoundTargets, '');
  expect(result.current).toBeUndefined();
  expect(called).not.toContain('search.find');
  rerender('mill');
  await waitFor(() => expect(result.current).toEqual({ text: 'mill', assignments: [] }));
});

it('searches for no more of a text than main takes', async () => {
  const { render } = await createTestWindow({ search: { find: ({ text }) => foundOf(`${text.length}`) } });
  const { result } = render(useFoundTargets, 'x'.repeat(300));
  await waitFor(() => expect(result.current?.assignments).toEqual([target('200')]));
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
  fireEvent.input(screen.getByRole('combobox'), { target: { value: 'mill' } });
  const options = await screen.findAllByRole('option');
  expect(options.map(({ textContent }) => textContent)).toEqual([
    '12 Mill Street, York · Anna · Mar 9, 2025 · Fjord Bygg · Planned',
    '12 Mill Street, York · Anna · Mar 9, 2026 · Fjord Bygg · Planned',
  ]);
});
