// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { DeskError } from '../../../contract/errors.ts';
import { renderPage } from '../../testing/render-page.tsx';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { Renames } from './renames.tsx';

speakEnglish();

it('says why the names of a folder cannot be known', async () => {
  await renderPage(<Renames />, {
    drafts: {
      names: () => {
        throw new DeskError('upload/folder-missing', 'gone', { details: { path: 'Photos' } });
      },
    },
  });
  expect(await screen.findByText(/Photos.* is no longer there/)).toBeDefined();
});

it('does not count the renamed files of the folder before for the next one', async () => {
  const { rerender } = await renderPage(<Renames rowId={1} />, {
    drafts: { names: ({ rowId }) => (rowId === 1 ? { renames: [], total: 8, listed: 8 } : new Promise(() => {})) },
  });
  await screen.findByText('8 files will be renamed.');
  rerender(<Renames rowId={2} />);
  expect(screen.queryByText('8 files will be renamed.')).toBeNull();
});
