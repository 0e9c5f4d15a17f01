// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { wordsChanged } from '../../words/formats.ts';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { heading, InTestUi } from '../testing/test-ui.ts';
import type { Column } from './columns.tsx';
import { PlainTable } from './data-table.tsx';

speakEnglish();

afterEach(cleanup);

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

it('draws its rows again when the texts or formats of the app have changed', () => {
  render(table);
  currency = '£';
  act(wordsChanged);
  expect(texts().slice(1, 3)).toEqual(['Unnamed0 £', 'row 11 £']);
});
