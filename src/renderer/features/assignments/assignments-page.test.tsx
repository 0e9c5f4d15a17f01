// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { AssignmentTableQuery } from '../../../contract/assignments.ts';
import { renderPage } from '../../testing/render-page.tsx';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { AssignmentsPage } from './assignments-page.tsx';

speakEnglish();

// In this DOM, no element has a size, but a table renders only the rows for which it has room.
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(1400);
});
afterEach(() => vi.restoreAllMocks());

const row = {
  FacilityId: '',
  AssignmentStatus: 'PENDING',
  FirstName: '',
  LastName: '',
  City: '',
  Performer: '',
  StartTime: 0,
  sent: 0,
  failed: 0,
  waiting: 0,
  isPlanPending: false,
};

/** Shows the page of 1,000 assignments. `asked`: the queries of the table, oldest first. */
const show = async (filter?: Partial<AssignmentTableQuery>) => {
  const asked: AssignmentTableQuery[] = [];
  await renderPage(<AssignmentsPage {...(filter && { filter })} />, {
    assignments: {
      counties: () => [],
      values: () => ({ City: [], Performer: [], AssignmentStatus: [] }),
      projects: () => ({
        value: { Items: [], Count: 0, TotalCount: 0 },
        unreadable: 0,
        source: 'service',
        fetchedAtMs: 1,
      }),
      table: (query) => {
        asked.push(query);
        const Items = Array.from({ length: query.limit }, (_, index) => {
          const AssignmentId = String(query.offset + index);
          return { ...row, AssignmentId, Address: `Mill Street ${AssignmentId}` };
        });
        return { Items, total: 1000, known: 2000 };
      },
    },
  });
  await screen.findByText('Mill Street 0');
  return { asked };
};

it('asks once for the rows in view and their count', async () => {
  const { asked } = await show();
  await waitFor(() => expect(asked.at(-1)?.limit).toBeGreaterThan(50));
  asked.length = 0;
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'mill' } });
  await waitFor(() => expect(asked).toHaveLength(1));
  expect(screen.getByText('1,000 of 2,000 assignments')).toBeDefined();
});

it('shows the day that it was opened for, and all others on request', async () => {
  const { asked } = await show({ open: true, fromMs: 1_800_000_000_000, beforeMs: 1_800_086_400_000 });
  expect(asked[0]).toMatchObject({ open: true, fromMs: 1_800_000_000_000, beforeMs: 1_800_086_400_000 });
  fireEvent.change(screen.getByRole('combobox', { name: 'Start' }), { target: { value: '-1' } });
  await waitFor(() => expect(asked.at(-1)?.fromMs).toBeUndefined());
  expect(asked.at(-1)).toMatchObject({ open: true });
});

it('keeps no assignment selected that another search may hide', async () => {
  await show();
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select Mill Street 1' }));
  await screen.findByRole('button', { name: 'Plan after… (1)' });
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'elm' } });
  expect(await screen.findByRole('button', { name: 'Plan after… (0)' })).toBeDefined();
});
