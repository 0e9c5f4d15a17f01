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
