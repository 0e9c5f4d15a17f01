// @vitest-environment happy-dom
import { waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { createTestWindow } from '../../testing/render-query.tsx';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { useDoubtTexts } from './use-doubt-texts.ts';

speakEnglish();

const foldersOf = (...names: readonly string[]) => names.map((name) => ({ folderId: name, name }));

it('says once what holds for all folders, and names the folder where it does not', async () => {
  const AssignmentId = '00000000-0000-4000-8000-0000000000b2';
  const { render } = await createTestWindow({
    uploads: {
      doubts: ({ folderId }) => [
        { kind: 'status', AssignmentStatus: 'CLOSED' },
        ...(folderId === 'two'
          ? [{ kind: 'other-assignment', AssignmentId, name: 'Mill Street', found: 'mill' } as const]
          : []),
      ],
    },
  });
  const folders = foldersOf('one', 'two');
  const { result } = render(() => useDoubtTexts('a1', folders), undefined);
  expect(result.current).toBeUndefined();
  await waitFor(() => expect(result.current).toHaveLength(2));
  expect(result.current?.[0]?.title).toContain('Closed');
  expect(result.current?.[1]?.title).toContain('two');
});
