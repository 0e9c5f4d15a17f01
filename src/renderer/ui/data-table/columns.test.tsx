// @vitest-environment happy-dom

import { FluentProvider, webLightTheme } from '@fluentui/react-components';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useCallback, useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LAST_SHEET_MS } from '../../../contract/sheets.ts';
import { windowWords } from '../../../words/en/window.ts';
import { formatDay } from '../../words/dates.ts';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { speak } from '../../words/words.ts';
import { heading, testUi } from '../testing/test-ui.ts';
import { type Ui, UiProvider } from '../ui-context.ts';
import { type Column, type Neighbour, nextSort, timeCells, withBoundaryMoved } from './columns.tsx';
import { PlainTable } from './data-table.tsx';

const at = (left: Neighbour, right: Neighbour) => ({ left, right, tablePx: 1000 });

it('reverses the order when the same heading is pressed again', () => {
  expect(nextSort(undefined, 'City')).toEqual({ by: 'City', descending: false });
  expect(nextSort({ by: 'City', descending: false }, 'City')).toEqual({ by: 'City', descending: true });
  expect(nextSort({ by: 'City', descending: true }, 'City')).toEqual({ by: 'City', descending: false });
  expect(nextSort({ by: 'City', descending: true }, 'Points')).toEqual({ by: 'Points', descending: false });
});

const fixed = (id: string, px: number) => ({ id, px, flexible: false });
const flexible = (id: string, px: number) => ({ id, px, flexible: true });

it('takes from one column what it gives to the other', () => {
  const widths = withBoundaryMoved({ Points: 10 }, at(fixed('City', 200), fixed('Facility', 100)), 30);
  expect(widths).toEqual({ Points: 10, City: 23, Facility: 7 });
});

it('keeps a flexible column flexible', () => {
  expect(withBoundaryMoved({}, at(flexible('Address', 400), fixed('City', 200)), -50)).toEqual({ City: 25 });
  expect(withBoundaryMoved({}, at(flexible('Address', 400), flexible('City', 200)), -50)).toEqual({
    Address: 35,
    City: 25,
  });
});

it('keeps both columns wide enough to be read', () => {
  expect(withBoundaryMoved({}, at(fixed('City', 200), fixed('Facility', 100)), 500).Facility).toBe(6.4);
  expect(withBoundaryMoved({}, at(fixed('City', 200), fixed('Facility', 100)), -500).City).toBe(6.4);
});

it('lets a column that is too narrow grow but not shrink', () => {
  expect(withBoundaryMoved({}, at(fixed('City', 40), fixed('Facility', 100)), -10).City).toBe(4);
  expect(withBoundaryMoved({}, at(fixed('City', 40), fixed('Facility', 100)), 10).City).toBe(5);
});

const columns: readonly Column<number>[] = [
  { id: 'name', header: heading('Name'), minor: true, cell: (row) => `row ${row}` },
  { id: 'city', header: 'common.city', minor: true, cell: () => 'Oslo' },
  { id: 'price', header: heading('Price'), cell: (row) => `${row} €` },
  { id: 'id', header: heading('ID'), rare: true, cell: (row) => `id-${row}` },
];

let stored: Record<string, unknown> = {};
beforeEach(() => {
  stored = {};
  speakEnglish();
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

/** Stores values by key, as the app does. */
const useStored: Ui['useStored'] = (key, schema) => {
  const [, rerender] = useState(0);
  const store = useCallback(
    (value: unknown): void => {
      stored = { ...stored, [key]: value };
      rerender((times) => times + 1);
    },
    [key],
  );
  return [schema.safeParse(stored[key]).data, store];
};

const ui: Ui = { ...testUi, useStored };

const show = (width: 'narrow' | 'medium' | 'wide', id = 'table', shown = columns) => {
  const widthPx = { narrow: 1100, medium: 1200, wide: 1280 }[width];
  vi.spyOn(window, 'matchMedia').mockImplementation((query) => {
    const matches = widthPx <= Number(/max-width: (\d+)px/.exec(query)?.[1]);
    return { matches, addEventListener: () => {}, removeEventListener: () => {} } as unknown as MediaQueryList;
  });
  const table = <PlainTable id={id} label="Rows" columns={shown} rows={[7]} rowKey={String} unreadable={1} />;
  render(
    <FluentProvider theme={webLightTheme}>
      <UiProvider value={ui}>{table}</UiProvider>
    </FluentProvider>,
  );
};

const headings = () => screen.getAllByRole('columnheader', { hidden: true }).map((heading) => heading.dataset.column);

const inOptions = async (role: 'button' | 'checkbox', name: string): Promise<void> => {
  // While the options are open, everything outside of them is hidden from screen readers.
  const options = await screen.findByRole('button', { name: /^Table options/, hidden: true });
  if (options.getAttribute('aria-expanded') !== 'true') fireEvent.click(options);
  fireEvent.click(await screen.findByRole(role, { name, hidden: true }));
};

const choose = (name: string): Promise<void> => inOptions(name === 'Default columns' ? 'button' : 'checkbox', name);

it('a narrow window leaves out minor columns, says which, and gives each back for good', async () => {
  show('narrow');
  expect(headings()).toEqual(['name', 'price']);
  await screen.findByRole('button', { name: 'Table options. Hidden columns: City' });
  await choose('City');
  expect(headings()).toEqual(['name', 'city', 'price']);
  expect(stored).toEqual({ 'table.table': { shown: { city: true } } });
  cleanup();
  show('narrow');
  expect(headings()).toEqual(['name', 'city', 'price']);
  cleanup();
  show('narrow', 'another');
  expect(headings()).toEqual(['name', 'price']);
});

it('any column but the one that names the row can be hidden, and the usual ones come back together', async () => {
  show('wide');
  expect(headings()).toEqual(['name', 'city', 'price']);
  await choose('Price');
  expect(headings()).toEqual(['name', 'city']);
  expect(
    screen.getByText('This item could not be read: the service sent it in an unexpected format.').closest('td')
      ?.colSpan,
  ).toBe(2);
  expect(screen.queryByRole('checkbox', { name: 'Name' })).toBeNull();
  await choose('Default columns');
  expect(headings()).toEqual(['name', 'city', 'price']);
});

it('leaves out in a window of medium width what is minor first, and keeps what is minor', () => {
  show('medium', 'table', [...columns, { id: 'tax', header: heading('Tax'), minor: 'first', cell: () => '0 €' }]);
  expect(headings()).toEqual(['name', 'city', 'price']);
});

it('names columns in the language that is spoken', async () => {
  show('narrow');
  await screen.findByRole('button', { name: 'Table options. Hidden columns: City' });
  const common = { ...windowWords.common, city: 'Ort' };
  act(() => speak({ name: 'window', locale: 'en', words: { ...windowWords, common } }));
  await screen.findByRole('button', { name: 'Table options. Hidden columns: Ort' });
  await choose('Ort');
  expect(headings()).toEqual(['name', 'city', 'price']);
});

it.each([
  [[], ['name', 'city', 'price', 'tax']],
  [
    ['tax', 'name', 'city'],
    ['name', 'tax', 'city', 'price'],
  ],
  [
    ['price', 'gone'],
    ['name', 'city', 'price', 'tax'],
  ],
])(
  'keeps the first column first, and puts columns without a place after the one that they usually follow: %j',
  (order, shown) => {
    stored = { 'table.table': { order } };
    show('wide', 'table', [...columns, { id: 'tax', header: heading('Tax'), cell: () => '0 €' }]);
    expect(headings()).toEqual(shown);
  },
);

it('moves columns, shows extra ones, and makes rows compact', async () => {
  show('wide');
  await inOptions('button', 'Move Price up');
  expect(headings()).toEqual(['name', 'price', 'city']);
  await inOptions('button', 'Move Price down');
  expect(headings()).toEqual(['name', 'city', 'price']);
  expect(screen.queryByRole('columnheader', { name: 'ID', hidden: true })).toBeNull();
  await choose('ID');
  expect(headings()).toEqual(['name', 'city', 'price', 'id']);
  const height = () => document.querySelector<HTMLElement>('[data-row] td')?.style.height;
  expect(height()).toBe('40px');
  await choose('Compact rows');
  cleanup();
  show('wide');
  expect(height()).toBe('28px');
});

it('exports a time after the last one that Excel supports as it is shown', () => {
  const { value } = timeCells((ms: number) => ms, 'day');
  expect(value(LAST_SHEET_MS)).toEqual({ ms: LAST_SHEET_MS, day: true });
  expect(value(LAST_SHEET_MS + 1)).toBe(formatDay(LAST_SHEET_MS + 1));
});
