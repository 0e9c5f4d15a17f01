// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { DeskError } from '../../../contract/errors.ts';
import { createTestWindow } from '../../testing/render-query.tsx';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { Renames } from './renames.tsx';

speakEnglish();

it('says why the names of a folder cannot be known', async () => {
  const { wrapper } = await createTestWindow({
    drafts: {
      names: () => {
        throw new DeskError('upload/folder-missing', 'gone', { details: { path: 'Photos' } });
      },
    },
  });
  render(<Renames />, { wrapper });
  expect(await screen.findByText(/Photos.* is no longer there/)).toBeDefined();
});
