// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { testUi } from '../testing/test-ui.ts';
import { type Ui, UiProvider } from '../ui-context.ts';
import type { Column } from './columns.tsx';
import { PlainTable } from './data-table.tsx';

const uiOf = (unnamed: string): Ui => testUi({ unnamed });

afterEach(cleanup);

let currency = '€';
const columns: readonly Column<number>[] = [
  { id: 'name', header: () => 'Name', cell: (row) => (row === 0 ? '' : `row ${row}`) },
  { id: 'price', header: () => 'Price', cell: (row) => `${row} ${currency}` },
];
const rows = [0, 1];

const table = (ui: Ui) => (
  <UiProvider value={ui}>
    <PlainTable id="t" label="Rows" columns={columns} rows={rows} rowKey={String} unreadable={2} open={() => {}} />
  </UiProvider>
);

const texts = () => screen.getAllByRole('row').map(({ textContent }) => textContent?.trim());

it('shows the rows, a row for each that could not be read, and their count', () => {
  render(table(uiOf('No name')));
  expect(texts()).toEqual([
    'NamePrice',
    'No name0 €',
    'row 11 €',
    'This row could not be read.',
    'This row could not be read.',
    '2 rows could not be read.',
  ]);
});

it('draws its rows again when the texts or formats of the app have changed', () => {
  const { rerender } = render(table(uiOf('No name')));
  currency = '£';
  rerender(table(uiOf('Ohne Namen')));
  expect(texts().slice(1, 3)).toEqual(['Ohne Namen0 £', 'row 11 £']);
});
