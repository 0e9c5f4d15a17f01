// @vitest-environment happy-dom
import { FluentProvider, webLightTheme } from '@fluentui/react-components';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { Activity, useRef } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { SheetCell } from '../../../contract/sheets.ts';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { heading, testUi } from '../testing/test-ui.ts';
import { type Ui, UiProvider } from '../ui-context.ts';
import type { Column } from './columns.tsx';
import { PlainTable, type TableHandle } from './data-table.tsx';
import { ExportDialog, type ExportDialogProps } from './export-dialog.tsx';

speakEnglish();

const columns: readonly Column<number>[] = [
  { id: 'Name', header: heading('Name'), cell: (row) => <b>{row}</b>, text: (row) => `Street ${row}` },
  { id: 'Points', header: heading('Points'), cell: (row) => row },
  {
    id: 'Size',
    header: heading('Size'),
    cell: (row) => `${row} kB`,
    value: (row) => row * 1000,
    sheetHeader: heading('Size in bytes'),
  },
  { id: 'Time', header: heading('Time'), cell: () => 'today', value: (row) => ({ ms: row, day: true }) },
];
const actions: Column<number> = { id: 'Actions', header: heading('Actions'), cell: () => 'Remove', text: false };
const all = Array.from({ length: 2500 }, (_, index) => index);

let head: object | undefined;
let written: (readonly SheetCell[])[] = [];
let ended = '';
beforeEach(() => {
  head = undefined;
  written = [];
  ended = '';
});
afterEach(cleanup);

const sheets: Ui['sheets'] = {
  begin: async (begun) => {
    head = begun;
    return { exportId: 'streets' };
  },
  rows: async ({ rows }) => void written.push(...rows),
  finish: async () => {
    ended = 'finished';
    return { path: '/home/anna/streets.xlsx' };
  },
  cancel: async () => {
    ended = 'cancelled';
  },
};

const report = vi.fn();
const closed = vi.fn();

const dialog = (given: Partial<ExportDialogProps<number>>) => (
  <FluentProvider theme={webLightTheme}>
    <UiProvider value={{ ...testUi, sheets, report }}>
      <ExportDialog
        name="Streets"
        columns={columns}
        count={all.length}
        read={async (offset, limit) => ({ rows: all.slice(offset, offset + limit) })}
        selection={undefined}
        rest={undefined}
        onClose={closed}
        {...given}
      />
    </UiProvider>
  </FluentProvider>
);

const begin = (): void => void fireEvent.click(screen.getByRole('button', { name: 'Export' }));

it('writes every row once, however many calls they take', async () => {
  render(dialog({}));
  begin();
  await expect.poll(() => ended).toBe('finished');
  expect(head).toEqual({ name: 'Streets', type: 'xlsx', header: ['Name', 'Points', 'Size in bytes', 'Time'] });
  expect(written.map(([, points]) => points)).toEqual(all);
  expect(written[7]).toEqual(['Street 7', 7, 7000, { ms: 7, day: true }]);
  expect(closed).toHaveBeenCalledWith({ path: '/home/anna/streets.xlsx', count: all.length, written: all.length });
});

it('has its buttons in the order of other dialogs', () => {
  render(dialog({}));
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Cancel', 'Export']);
});

it('writes the selected rows alone where some are selected', async () => {
  render(dialog({ selection: { ids: new Set([3, 2400]), has: (row) => row === 3 || row === 2400 } }));
  begin();
  await expect.poll(() => ended).toBe('finished');
  expect(written.map(([name]) => name)).toEqual(['Street 3', 'Street 2400']);
});

it('reads the rest first, and after a failure writes nothing before one asks again', async () => {
  const read = vi.fn();
  const rest = { of: 3000, isReading: false, read };
  const { rerender } = render(dialog({ rest }));
  begin();
  expect(read).toHaveBeenCalledWith(true);
  rerender(dialog({ rest: { ...rest, isReading: true } }));
  expect(screen.getByText('Loaded 2,500 of 3,000')).toBeDefined();
  rerender(dialog({ rest: { ...rest, failure: 'The service cannot be reached' } }));
  expect(screen.getByText('The service cannot be reached')).toBeDefined();
  rerender(dialog({ rest: undefined }));
  expect(head).toBeUndefined();
  begin();
  await expect.poll(() => ended).toBe('finished');
});

it('leaves no file where the rows cannot be read, and says why', async () => {
  const error = new Error('offline');
  render(
    dialog({
      read: async (offset) => {
        if (offset > 0) throw error;
        return { rows: all.slice(0, 1000) };
      },
    }),
  );
  begin();
  await expect.poll(() => ended).toBe('cancelled');
  expect(report).toHaveBeenCalledWith(error);
});

it('returns the focus to the button that opened it, however it is closed, and writes no buttons of rows', async () => {
  const Streets = () => {
    const handle = useRef<TableHandle>(null);
    return (
      <FluentProvider theme={webLightTheme}>
        <UiProvider value={{ ...testUi, sheets }}>
          <button type="button" onClick={() => handle.current?.exportRows()}>
            Save streets
          </button>
          <PlainTable
            id="s"
            label="Streets"
            columns={[...columns, actions]}
            rows={[1]}
            rowKey={String}
            handle={handle}
          />
        </UiProvider>
      </FluentProvider>
    );
  };
  render(<Streets />);
  const button = screen.getByRole('button', { name: 'Save streets' });
  for (const close of ['Cancel', 'Export']) {
    button.focus();
    fireEvent.click(button);
    const answer = await screen.findByRole('button', { name: close });
    answer.focus();
    fireEvent.click(answer);
    await waitFor(() => expect(document.activeElement).toBe(button));
  }
  expect(head).toMatchObject({ header: ['Name', 'Points', 'Size in bytes', 'Time'] });
});

it('goes on and closes while its page is out of view', async () => {
  const reading = Promise.withResolvers<void>();
  const read: ExportDialogProps<number>['read'] = async (offset, limit) => {
    await reading.promise;
    return { rows: all.slice(offset, offset + limit) };
  };
  const page = (mode: 'visible' | 'hidden') => <Activity mode={mode}>{dialog({ read })}</Activity>;
  closed.mockClear();
  const { rerender } = render(page('visible'));
  begin();
  rerender(page('hidden'));
  reading.resolve();
  await waitFor(() => expect(closed).toHaveBeenCalled());
  expect(written).toHaveLength(all.length);
});

it('says how many rows it has written if the list got shorter', async () => {
  const read: ExportDialogProps<number>['read'] = async (offset, limit) => ({
    rows: all.slice(0, 1200).slice(offset, offset + limit),
  });
  closed.mockClear();
  render(dialog({ read }));
  begin();
  await waitFor(() => expect(closed).toHaveBeenCalled());
  expect(closed).toHaveBeenCalledWith(expect.objectContaining({ count: 2500, written: 1200 }));
});
