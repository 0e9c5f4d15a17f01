// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { createTestWindow } from '../../testing/render-query.tsx';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { ProtocolSummary } from './protocol-summary.tsx';

speakEnglish();
afterEach(cleanup);

const ignore = (): void => {};
const path = '/home/anna/protocols.csv';

const open = async (inFile: number) => {
  const { wrapper: Wrapper } = await createTestWindow({});
  const summary = (rows: number, of: number | undefined) => (
    <Wrapper>
      <ProtocolSummary
        found={undefined}
        hasMore={false}
        isUnknown={false}
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
