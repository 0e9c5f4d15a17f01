// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { wordsChanged } from '../../words/formats.ts';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { heading, InTestUi } from '../testing/test-ui.ts';
import type { Column } from './columns.tsx';
import { DataTable, PlainTable } from './data-table.tsx';
import { headerHeight } from './styles.ts';

speakEnglish();

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

let currency = '€';
const columns: readonly Column<number>[] = [
  { id: 'name', header: heading('Name'), cell: (row) => (row === 0 ? '' : `row ${row}`) },
  { id: 'price', header: heading('Price'), cell: (row) => `${row} ${currency}` },
];
const rows = [0, 1];

const table = (
  <InTestUi>
    <PlainTable id="t" label="Rows" columns={columns} rows={rows} rowKey={String} unreadable={2} open={() => {}} />
  </InTestUi>
);

const texts = () => screen.getAllByRole('row').map(({ textContent }) => textContent?.trim());

it('shows the rows, a row for each that could not be read, and their count', () => {
  render(table);
  expect(texts()).toEqual([
    'NamePrice',
    'Unnamed0 €',
    'row 11 €',
    'This item could not be read: the service sent it in an unexpected format.',
    'This item could not be read: the service sent it in an unexpected format.',
    '2 items could not be read.',
  ]);
});

it('scrolls a long list, and renders only its rows in view', () => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
  const many = Array.from({ length: 1_000 }, (_, index) => index);
  render(
    <InTestUi>
      <PlainTable id="long" label="Rows" columns={columns} rows={many} />
    </InTestUi>,
  );
  expect(screen.getAllByRole('row').length).toBeLessThan(100);
});

it('draws its rows again when the texts or formats of the app have changed', () => {
  render(table);
  currency = '£';
  act(wordsChanged);
  expect(texts().slice(1, 3)).toEqual(['Unnamed0 £', 'row 11 £']);
});

it('puts a boundary of columns down where it is clicked, without a click on the row there', async () => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 200, 40));
  const opened: number[] = [];
  const { container } = render(
    <InTestUi>
      <DataTable id="pulled" label="Rows" columns={columns} rows={rows} open={(row) => void opened.push(row)} />
    </InTestUi>,
  );
  const boundary = container.querySelector('th [title]:not([data-heading])') ?? expect.fail('no boundary');
  const row = screen.getByRole('button', { name: 'row 1' });
  const click = (element: Element) => {
    fireEvent.pointerDown(element, { button: 0 });
    fireEvent.pointerUp(element);
    fireEvent.click(element);
  };
  click(boundary);
  click(row);
  expect(opened).toEqual([]);
  await new Promise((resolve) => setTimeout(resolve));
  click(row);
  expect(opened).toEqual([1]);
});

it('renders the rows in view in their places, and leaves gaps for the others', () => {
  // Happy DOM has no layout, so the height of the view is set here.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
  const many = Array.from({ length: 1_000 }, (_, index) => index);
  render(
    <InTestUi>
      <DataTable id="many" label="Rows" columns={columns} rows={many} open={() => {}} />
    </InTestUi>,
  );
  const scroller = screen.getByRole('group', { name: 'Rows' });
  scroller.scrollTop = 20_000;
  act(() => void fireEvent.scroll(scroller));
  const places: Record<string, number> = {};
  let bottomPx = headerHeight;
  for (const row of scroller.querySelectorAll<HTMLElement>('tbody tr')) {
    if (row.dataset.row !== undefined) places[row.dataset.row] = bottomPx;
    bottomPx += Number.parseInt(row.querySelector('td')?.style.height ?? '', 10);
  }
  expect(places).toMatchObject({ 0: headerHeight, 500: headerHeight + 500 * 40, 508: headerHeight + 508 * 40 });
  expect(Object.keys(places)).not.toContain('480');
  expect(bottomPx).toBe(headerHeight + 1_000 * 40);
});

it('opens from its menu the row for which the menu was opened, although the rows have moved meanwhile', async () => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
  const opened: number[] = [];
  const tableOf = (listed: readonly number[]) => (
    <InTestUi>
      <DataTable id="moved" label="Rows" columns={columns} rows={listed} open={(row) => void opened.push(row)} />
    </InTestUi>
  );
  const { rerender } = render(tableOf([1, 2]));
  fireEvent.contextMenu(screen.getByRole('row', { name: /row 1/ }));
  const item = await screen.findByRole('menuitem', { name: 'Open' });
  rerender(tableOf([3, 1, 2]));
  fireEvent.click(item);
  expect(opened).toEqual([1]);
});

it('copies no row once the list is empty', () => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
  const tableOf = (listed: readonly number[]) => (
    <InTestUi>
      <DataTable id="emptied" label="Rows" columns={columns} rows={listed} rowKey={(row) => row} />
    </InTestUi>
  );
  const { rerender, container } = render(tableOf([1]));
  rerender(tableOf([]));
  const heading = container.querySelector<HTMLElement>('[data-heading]') ?? expect.fail('no heading');
  heading.focus();
  expect(fireEvent.copy(heading)).toBe(true);
});

it('keeps the focus on a row that is out of view, when only other rows of a long list are loaded', () => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
  const opened: unknown[] = [];
  const part = (first: number) => (
    <InTestUi>
      <DataTable
        id="many"
        label="Rows"
        columns={columns}
        rows={{
          count: 1_000,
          rowAt: (index) => (index >= first && index < first + 100 ? index : undefined),
          read: async () => ({ rows: [] }),
        }}
        open={(row, index) => opened.push([row, index])}
      />
    </InTestUi>
  );
  const { rerender } = render(part(0));
  const button = screen.getByRole('button', { name: 'row 3' });
  act(() => button.focus());
  const scroller = screen.getByRole('group', { name: 'Rows' });
  scroller.scrollTop = 20_000;
  act(() => void fireEvent.scroll(scroller));
  rerender(part(450));
  expect(screen.getByRole('button', { name: 'row 500' })).toBeDefined();
  expect(document.activeElement).toBe(button);
  fireEvent.click(button);
  expect(opened).toEqual([[3, 3]]);
});
