// @vitest-environment happy-dom
import { FluentProvider, webLightTheme } from '@fluentui/react-components';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { testUi } from '../testing/test-ui.ts';
import { type Ui, UiProvider } from '../ui-context.ts';
import type { Column } from './column.ts';
import { PlainTable } from './plain-table.tsx';

const columns: readonly Column<number>[] = [
  { id: 'name', header: () => 'Name', minor: true, cell: (row) => `row ${row}` },
  { id: 'city', header: () => 'City', minor: true, cell: () => 'Oslo' },
  { id: 'price', header: () => 'Price', cell: (row) => `${row} €` },
];

let stored: Record<string, unknown> = {};
beforeEach(() => {
  stored = {};
  // Menus move where the page can animate; the DOM here rejects what it cancels.
  Object.defineProperty(Element.prototype, 'animate', { value: undefined, configurable: true });
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

/** Remembers values by key, as the app does. */
const useStored: Ui['useStored'] = (key, schema) => {
  const [, rerender] = useState(0);
  const store = (value: unknown): void => {
    stored = { ...stored, [key]: value };
    rerender((times) => times + 1);
  };
  return [schema.safeParse(stored[key]).data, store];
};

const ui: Ui = { ...testUi(), useStored };

const show = (isNarrow: boolean, id = 'table') => {
  const query = { matches: isNarrow, addEventListener: () => {}, removeEventListener: () => {} };
  vi.spyOn(window, 'matchMedia').mockReturnValue(query as unknown as MediaQueryList);
  return render(
    <FluentProvider theme={webLightTheme}>
      <UiProvider value={ui}>
        <PlainTable id={id} label="Rows" columns={columns} rows={[7]} rowKey={String} unreadable={1} />
      </UiProvider>
    </FluentProvider>,
  );
};

const headings = () => screen.getAllByRole('columnheader').map((heading) => heading.dataset.column);

const choose = async (name: string): Promise<void> => {
  fireEvent.click(await screen.findByRole('button', { name: /^Columns/ }));
  fireEvent.click(await screen.findByRole(name === 'Default columns' ? 'menuitem' : 'menuitemcheckbox', { name }));
};

it('B31: a narrow window leaves out minor columns, says which, and gives each back for good', async () => {
  show(true);
  expect(headings()).toEqual(['name', 'price']);
  await screen.findByRole('button', { name: 'Columns. Hidden: City' });
  await choose('City');
  expect(headings()).toEqual(['name', 'city', 'price']);
  expect(stored).toEqual({ 'shown.table': { city: true } });
  cleanup();
  show(true);
  expect(headings()).toEqual(['name', 'city', 'price']);
  cleanup();
  show(true, 'another');
  expect(headings()).toEqual(['name', 'price']);
});

it('B31: any column but the one that names the row can be hidden, and the usual ones come back together', async () => {
  show(false);
  expect(headings()).toEqual(['name', 'city', 'price']);
  await choose('Price');
  expect(headings()).toEqual(['name', 'city']);
  expect(screen.getByText('This row could not be read.').closest('td')?.colSpan).toBe(2);
  expect(screen.queryByRole('menuitemcheckbox', { name: 'Name' })).toBeNull();
  await choose('Default columns');
  expect(headings()).toEqual(['name', 'city', 'price']);
});
