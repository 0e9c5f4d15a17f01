// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react';
import { beforeAll, expect, it } from 'vitest';
import type { AssignmentRow } from '../../../contract/assignments.ts';
import { emptySnapshot } from '../../testing/fake-bridge.ts';
import { createTestWindow } from '../../testing/render-query.tsx';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { tableColumns, workColumns } from './assignments.tsx';
import { PendingChanges } from './changes.tsx';

beforeAll(speakEnglish);

const startMs = Date.UTC(2025, 1, 3, 9, 30);

const row = {
  AssignmentId: 'a-1',
  StartTime: startMs / 1000,
  AssignmentStatus: 'PENDING',
  Performer: 'Lift AB',
  City: 'Oslo',
  sent: 3,
  failed: 0,
  waiting: 0,
} as AssignmentRow;

const timesOf = (one: AssignmentRow) => {
  const columns = tableColumns.filter(({ id }) => ['Start', 'Plan after', 'Last upload', 'Inspected'].includes(id));
  return columns.map(({ value }) => value?.(one));
};

it('exports times as times, by which a spreadsheet can sort', () => {
  const uploaded = { ...row, PlanAfter: startMs / 1000, lastUpload: { atMs: startMs } } as AssignmentRow;
  const time = { ms: startMs, day: false };
  expect(timesOf(uploaded)).toEqual([time, time, time, '']);
});

it('exports a time that is not known as an empty cell', () => {
  expect(timesOf(row)).toEqual([{ ms: startMs, day: false }, '', '', '']);
});

it('leaves out columns that a group of the work list has no values for, until they are chosen', () => {
  const rare = (columns: ReturnType<typeof workColumns>) => columns.filter((column) => column.rare).map(({ id }) => id);
  expect(rare(workColumns('overdue'))).toEqual(['Plan after', 'Documents']);
  expect(rare(workColumns('thisWeek'))).toEqual([]);
  expect(rare(workColumns(undefined))).toEqual([]);
});

it.each([
  { windowPx: 850, navigationPx: 57, minor: [] },
  { windowPx: 1200, navigationPx: 208, minor: [true] },
  { windowPx: 1280, navigationPx: 208, minor: [true, 'first'] },
])('leaves the address about 200 pixels in a window of $windowPx', ({ windowPx, navigationPx, minor }) => {
  // The room that the navigation, the margins and the scrollbar leave.
  const tablePx = windowPx - navigationPx - 24 - 15;
  const others = tableColumns
    .filter((column) => !column.rare && (!column.minor || minor.includes(column.minor)))
    .map(({ width = '0px' }) => (Number.parseInt(width, 10) / 100) * (width.endsWith('%') ? tablePx : 100));
  const checkboxPx = 40;
  expect(tablePx - checkboxPx - others.reduce((sum, px) => sum + px, 0)).toBeGreaterThanOrEqual(185);
});

it('names the file of a removal that is pending or rejected, and says why the service rejected it', async () => {
  const of = { AssignmentId: 'a-1', createdAtMs: 1, kind: 'remove-files', files: 1, bytes: 1, removed: 0 } as const;
  const error = { code: 'service/refused', message: '', retry: 'never', details: {} } as const;
  const outbox = [
    { ...of, id: 1, name: 'roof.jpg', refused: 0, waiting: 1 },
    { ...of, id: 2, name: 'wall.jpg', refused: 1, waiting: 0, error },
  ];
  const { wrapper } = await createTestWindow({ app: { snapshot: () => ({ ...emptySnapshot, outbox }) } });
  render(<PendingChanges id="a-1" kind="remove-files" />, { wrapper });
  expect(await screen.findByText('Remove roof.jpg')).toBeTruthy();
  expect(screen.getByRole('alert').textContent).toContain('Remove wall.jpg The service rejected the request.');
  expect(screen.queryByRole('button', { name: 'Save receipt' })).toBeNull();
});
