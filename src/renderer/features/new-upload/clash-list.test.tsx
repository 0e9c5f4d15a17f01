// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { DraftClash } from '../../../contract/drafts.ts';
import { DeskError } from '../../../contract/errors.ts';
import { renderPage } from '../../testing/render-page.tsx';
import { sampleDraftRow } from '../../testing/sample-draft-row.ts';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { ClashList } from './clash-list.tsx';

speakEnglish();

const earlier: DraftClash = { path: 'a.jpg', FileName: 'a.jpg', with: 'earlier', onClash: 'replace' };
const ofThisUpload: DraftClash = { path: 'b/c.jpg', FileName: 'c.jpg', with: 'this-upload', onClash: 'rename' };

it('shows what was chosen for all files, and does not offer to replace a file of the same upload', async () => {
  const clashes = [earlier, ofThisUpload];
  await renderPage(<ClashList row={sampleDraftRow} onChoose={() => {}} />, {
    drafts: { clashes: () => ({ clashes, total: clashes.length }) },
  });
  expect(await screen.findByRole('combobox', { name: 'For all of them' })).toHaveProperty('value', 'replace');
  const own = screen.getByRole('combobox', { name: 'What to do with c.jpg' });
  expect(within(own).queryByRole('option', { name: 'Replace the earlier file' })).toBeNull();
});

it('shows none of the names of the folder before, and says why those of the next cannot be known', async () => {
  let fail = (): void => {};
  const clashes = [earlier];
  const { rerender } = await renderPage(<ClashList row={sampleDraftRow} onChoose={() => {}} />, {
    drafts: {
      clashes: ({ rowId }) =>
        rowId === sampleDraftRow.rowId
          ? { clashes, total: clashes.length }
          : new Promise((_, reject) => {
              fail = () => reject(new DeskError('data/unwritable', 'no'));
            }),
    },
  });
  await screen.findByRole('combobox', { name: 'For all of them' });
  rerender(<ClashList row={{ ...sampleDraftRow, rowId: 2 }} onChoose={() => {}} />);
  expect(screen.queryByRole('combobox')).toBeNull();
  fail();
  expect(await screen.findByText(/cannot write/)).toBeDefined();
});
