// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { DeskError, toErrorData } from '../../../contract/errors.ts';
import { createTestWindow } from '../../testing/render-query.tsx';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { ProtocolCommands } from './protocols-page.tsx';
import { SavePartDialog } from './save-protocols.tsx';

speakEnglish();
afterEach(cleanup);

const ignore = (): void => {};
const path = '/home/anna/protocols.csv';

const open = async (inFile: number) => {
  const { wrapper: Wrapper } = await createTestWindow({});
  const summary = (rows: number, of: number | undefined) => (
    <Wrapper>
      <ProtocolCommands
        found={undefined}
        hasMore={false}
        isUnknown={false}
        error={undefined}
        rows={rows}
        of={of}
        busy={false}
        onRefresh={ignore}
        onSave={async () => ({ path, rows: inFile })}
        note={undefined}
        readsAll={false}
        onRead={ignore}
      />
    </Wrapper>
  );
  const { rerender } = render(summary(120, 3000));
  return { shows: (rows: number, of?: number) => rerender(summary(rows, of)) };
};

/** What is not the whole list is saved only after a question. */
const save = async () => {
  fireEvent.click(screen.getByRole('button', { name: 'Save as CSV' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Save 120 rows' }));
};

it('B31: says how many protocols were saved only while the table has the same', async () => {
  const { shows } = await open(120);
  await save();
  expect(await screen.findByText(`Saved 120 of 3,000 protocols to ${path}`)).toBeDefined();
  shows(120, 3000);
  expect(screen.queryByText(/^Saved/)).not.toBeNull();
  shows(3000);
  expect(screen.queryByText(/^Saved/)).toBeNull();
});

it('B31: counts what is in the file, not what was loaded when it was asked for', async () => {
  await open(240);
  await save();
  expect(await screen.findByText(`Saved 240 of 3,000 protocols to ${path}`)).toBeDefined();
});

it('B32: what stops the reading of the rest is said, and the file is not saved before one asks again', async () => {
  const saved = vi.fn();
  const dialog = (given: Partial<Parameters<typeof SavePartDialog>[0]>) => (
    <SavePartDialog
      rows={120}
      of={3000}
      error={undefined}
      readsAll={false}
      isComplete={false}
      onRead={ignore}
      onSave={saved}
      onClose={ignore}
      {...given}
    />
  );
  const { rerender } = render(dialog({}), { wrapper: (await createTestWindow({})).wrapper });
  fireEvent.click(screen.getByRole('button', { name: 'Load all and save' }));
  rerender(dialog({ readsAll: true }));
  const error = toErrorData(new DeskError('service/unreachable', 'lost', { retry: 'later' }));
  rerender(dialog({ error }));
  expect(screen.getByText(/cannot be reached/)).toBeDefined();
  rerender(dialog({ isComplete: true }));
  expect(saved).not.toHaveBeenCalled();
});
