// @vitest-environment happy-dom
import { FluentProvider, webLightTheme } from '@fluentui/react-components';
import { act, cleanup, createEvent, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { createPortal } from 'react-dom';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { windowWords } from '../../../words/sv/window.ts';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { speak } from '../../words/words.ts';
import { heading, InTestUi, pretendMac } from '../testing/test-ui.ts';
import type { Column } from './columns.tsx';
import { DataTable, PlainTable } from './data-table.tsx';
import { listed, type RowSource, useSelection } from './use-selection.ts';

speakEnglish();

type Street = { readonly id: string; readonly zip: string; readonly points: number };

const columns: readonly Column<Street>[] = [
  { id: 'name', header: heading('Name'), cell: ({ id }) => id },
  { id: 'zip', header: heading('Postcode'), cell: ({ zip }) => <b>{zip}</b>, text: ({ zip }) => zip },
  { id: 'points', header: heading('Points'), cell: ({ points }) => points },
  { id: 'actions', header: heading('Actions'), cell: () => <button type="button">Remove</button>, text: false },
];
const streets: readonly Street[] = Array.from({ length: 6 }, (_, index) => ({
  id: `street ${index}`,
  zip: `015${index}`,
  points: index + 0.5,
}));

class Item {
  readonly parts: Readonly<Record<string, Promise<Blob>>>;
  constructor(parts: Item['parts']) {
    this.parts = parts;
  }
}

let opened: string[] = [];
/** What was written to the clipboard last, by type. */
let clipboard: Readonly<Record<string, string>> = {};
beforeEach(() => {
  opened = [];
  clipboard = {};
  vi.stubGlobal('ClipboardItem', Item);
  vi.spyOn(navigator.clipboard, 'write').mockImplementation(async ([item]) => {
    for (const [type, part] of Object.entries((item as unknown as Item).parts))
      clipboard = { ...clipboard, [type]: await (await part).text() };
  });
  const query = { matches: false, addEventListener: () => {}, removeEventListener: () => {} };
  vi.spyOn(window, 'matchMedia').mockReturnValue(query as unknown as MediaQueryList);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const show = (rows = streets, shown = columns) => {
  render(
    <FluentProvider theme={webLightTheme}>
      <InTestUi>
        <PlainTable
          id="streets"
          label="Streets"
          columns={shown}
          rows={rows}
          rowKey={({ id }) => id}
          open={({ id }) => opened.push(id)}
        />
      </InTestUi>
    </FluentProvider>,
  );
};
const button = (index: number) => screen.getByRole('button', { name: `street ${index}` });
const row = (index: number): HTMLElement => button(index).closest('tr') ?? expect.fail('no row');
const selected = (): readonly string[] =>
  screen.queryAllByRole('row', { selected: true }).map((one) => one.querySelector('button')?.textContent ?? '');
const press = async (index: number, key: string, keys: object = {}) => {
  await act(async () => void fireEvent.keyDown(button(index), { key, ...keys }));
};
/**
 * Copies with the focus on the row `street` (an index or a name), as the menu of the system does: without selected
 * text, the event goes to the body. Returns what the clipboard then contains.
 */
const copied = async (street: number | string) => {
  const target = typeof street === 'number' ? button(street) : screen.getByRole('button', { name: street });
  await act(async () => target.focus());
  await act(async () => void fireEvent.copy(document.body));
  return clipboard;
};

it('B29: Ctrl+A selects the rows of the table and no text of the window, and Ctrl+C copies them as cells', async () => {
  show();
  const event = createEvent.keyDown(button(0), { key: 'a', ctrlKey: true });
  await act(async () => void fireEvent(button(0), event));
  expect(event.defaultPrevented).toBe(true);
  expect(selected()).toHaveLength(6);
  expect(screen.getByText('6 rows selected')).toBeDefined();
  const data = await copied(0);
  expect(data['text/plain']?.split('\r\n')).toEqual([
    ...streets.map(({ id, zip, points }) => `${id}\t${zip}\t${points}`),
    '',
  ]);
  const cells = new DOMParser().parseFromString(data['text/html'] ?? '', 'text/html').querySelectorAll('tr');
  expect(cells).toHaveLength(6);
  expect([...(cells[1]?.children ?? [])].map(({ textContent }) => textContent)).toEqual(['street 1', '0151', '1.5']);
  expect(screen.getByText('Copied 6 rows')).toBeDefined();
  await press(0, 'Escape');
  expect(selected()).toEqual([]);
});

it('says that a row was copied as often as one is', async () => {
  show();
  await copied(3);
  const status = screen.getByText('Copied 1 row').closest('[role="status"]') ?? expect.fail('no status');
  let times = 0;
  new MutationObserver(() => {
    times += 1;
  }).observe(status, { characterData: true, childList: true, subtree: true });
  expect(await copied(4)).toMatchObject({ 'text/plain': expect.stringContaining('street 4') });
  await waitFor(() => expect(times).toBe(1));
  expect(status.textContent).toBe('Copied 1 row');
});

it('says in the language of the moment what was copied', async () => {
  show();
  await copied(3);
  expect(screen.getByText('Copied 1 row')).toBeDefined();
  onTestFinished(speakEnglish);
  act(() => speak({ name: 'window', locale: 'sv', words: windowWords }));
  expect(screen.getByText('Kopierade 1 rad')).toBeDefined();
});

it('B29: on a Mac, Cmd+A selects the rows, and Ctrl+A does not', async () => {
  pretendMac();
  show();
  await press(0, 'a', { ctrlKey: true });
  expect(selected()).toEqual([]);
  await press(0, 'a', { metaKey: true });
  expect(selected()).toHaveLength(6);
});

it('B29: text that is selected elsewhere in the window does not keep a row from opening', () => {
  show();
  vi.spyOn(window, 'getSelection').mockReturnValue({ isCollapsed: false } as Selection);
  fireEvent.mouseDown(row(2), { clientX: 10, clientY: 10 });
  fireEvent.click(row(2), { clientX: 10, clientY: 10, detail: 1 });
  expect(opened).toEqual(['street 2']);
  // A drag over the text of the row has selected the text.
  fireEvent.mouseDown(row(3), { clientX: 10, clientY: 10 });
  fireEvent.click(row(3), { clientX: 60, clientY: 10, detail: 1 });
  expect(opened).toEqual(['street 2']);
});

it('B29: Ctrl and Shift select as in a list of files, and a click without them opens', async () => {
  show();
  const click = async (index: number, keys: object = {}) => {
    await act(async () => void fireEvent.click(row(index), keys));
  };
  await click(1, { ctrlKey: true });
  await click(4, { ctrlKey: true });
  expect(selected()).toEqual(['street 1', 'street 4']);
  // The range from the row chosen last replaces the selection.
  await click(2, { shiftKey: true });
  expect(selected()).toEqual(['street 2', 'street 3', 'street 4']);
  await click(5, { shiftKey: true });
  expect(selected()).toEqual(['street 4', 'street 5']);
  await click(5, { ctrlKey: true });
  expect(selected()).toEqual(['street 4']);
  expect(opened).toEqual([]);
  await click(0);
  expect(opened).toEqual(['street 0']);
  expect(selected()).toEqual([]);
});

const showWithCheckboxes = () => {
  const Selectable = () => {
    const selection = useSelection<Street, string>({
      rows: listed(streets),
      idOf: ({ id }) => id,
      rowLabel: ({ id }) => id,
      allLabel: 'All streets',
    });
    const open = ({ id }: Street) => void opened.push(id);
    return (
      <PlainTable id="streets" label="Streets" columns={columns} rows={streets} selection={selection} open={open} />
    );
  };
  render(
    <FluentProvider theme={webLightTheme}>
      <InTestUi>
        <Selectable />
      </InTestUi>
    </FluentProvider>,
  );
};

it('neither selects nor opens a row when a button in it is pressed', () => {
  showWithCheckboxes();
  fireEvent.click(screen.getAllByRole('button', { name: 'Remove' })[2] ?? expect.fail('no button'));
  expect(selected()).toEqual([]);
  expect(opened).toEqual([]);
  // The name of the row is a button that opens it.
  fireEvent.click(button(2));
  expect(opened).toEqual(['street 2']);
});

it('leaves alone what happens in a dialog that a cell has opened', async () => {
  const withDialog: readonly Column<Street>[] = [
    ...columns,
    { id: 'dialog', header: heading('Dialog'), cell: ({ id }) => createPortal(<p>Remove {id}?</p>, document.body) },
  ];
  show(streets, withDialog);
  await act(async () => button(1).focus());
  const text = screen.getByText('Remove street 2?');
  await act(async () => void fireEvent.click(text));
  await act(async () => void fireEvent.click(text, { ctrlKey: true }));
  await act(async () => void fireEvent.keyDown(text, { key: 'a', ctrlKey: true }));
  await act(async () => void fireEvent.keyDown(text, { key: 'ArrowDown' }));
  expect(fireEvent.mouseDown(text, { shiftKey: true }), 'Shift extends a selection of text').toBe(true);
  expect(opened).toEqual([]);
  expect(selected()).toEqual([]);
  expect(document.activeElement).toBe(button(1));
});

it('opens no row that a click with Ctrl or Shift selects, where rows have checkboxes', async () => {
  showWithCheckboxes();
  await act(async () => void fireEvent.click(row(1), { ctrlKey: true }));
  await act(async () => void fireEvent.click(row(3), { shiftKey: true }));
  expect(selected()).toEqual(['street 1', 'street 2', 'street 3']);
  expect(opened).toEqual([]);
});

it('B29: Shift and the arrow keys select from the row with the focus, and the arrows alone end it', async () => {
  show();
  await act(async () => button(1).focus());
  await press(1, 'ArrowDown', { shiftKey: true });
  await press(2, 'ArrowDown', { shiftKey: true });
  expect(selected()).toEqual(['street 1', 'street 2', 'street 3']);
  await press(3, 'ArrowUp', { shiftKey: true });
  expect(selected()).toEqual(['street 1', 'street 2']);
  await press(2, 'ArrowDown');
  expect(selected()).toEqual([]);
  // Without a selection, the row with the focus is copied.
  expect((await copied(3))['text/plain']).toBe('street 3\t0153\t3.5\r\n');
  await press(3, ' ', { ctrlKey: true });
  expect(selected()).toEqual(['street 3']);
});

/** Shows a long table of which no rows are loaded, and presses Ctrl+A. `read`: reads the rows. */
const selectAllOf = async (count: number, read: RowSource<Street>['read']): Promise<HTMLElement> => {
  const rows = { count, rowAt: () => undefined, read };
  render(
    <InTestUi>
      <DataTable id="long" label="Streets" columns={columns} rows={rows} rowKey={({ id }) => id} />
    </InTestUi>,
  );
  const table = screen.getByRole('group', { name: 'Streets' });
  await act(async () => void fireEvent.keyDown(table, { key: 'a', ctrlKey: true }));
  return table;
};

it('B29: rows that are not in view are read, at most 10,000, and it is said what was copied', async () => {
  const count = 12_345;
  const table = await selectAllOf(count, async (offset, limit) => ({
    rows: Array.from({ length: Math.min(limit, count - offset) }, (_, at) => ({
      id: `street ${offset + at}`,
      zip: '',
      points: 0,
    })),
  }));
  await screen.findByText('12,345 rows selected');
  await act(async () => void fireEvent.keyDown(table, { key: 'c', ctrlKey: true }));
  await screen.findByText('Copied the first 10,000 of 12,345 rows');
  const lines = clipboard['text/plain']?.trimEnd().split('\r\n') ?? [];
  expect(lines).toHaveLength(10_000);
  expect(lines.at(-1)).toContain('street 9999');
});

it('B29: it is said that rows could not be read to be selected', async () => {
  await selectAllOf(2000, () => Promise.reject(new Error('offline')));
  expect(screen.getByText('Could not select the rows')).toBeDefined();
});

it('B29: selected text in the table is copied as text', async () => {
  show();
  vi.spyOn(window, 'getSelection').mockReturnValue({
    isCollapsed: false,
    containsNode: () => true,
  } as unknown as Selection);
  expect(await copied(0)).toEqual({});
});

it('B29: cells on the clipboard have no mark-up of their own', async () => {
  show([{ id: '<img src=x> & "b"', zip: '', points: 0 }]);
  expect((await copied('<img src=x> & "b"'))['text/html']).toContain('&lt;img src=x&gt; &amp; "b"</td>');
});
