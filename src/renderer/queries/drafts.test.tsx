// @vitest-environment happy-dom
import { waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { DeskError } from '../../contract/errors.ts';
import { createTestWindow } from '../testing/render-query.tsx';
import { useRenamed } from './drafts.ts';

it('says why the names of a folder cannot be known', async () => {
  const { render } = await createTestWindow({
    drafts: {
      names: () => {
        throw new DeskError('upload/folder-missing', 'gone');
      },
    },
  });
  const { result } = render(() => useRenamed(undefined), undefined);
  await waitFor(() => expect(result.current.error?.code).toBe('upload/folder-missing'));
});
