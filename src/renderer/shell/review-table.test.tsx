// @vitest-environment happy-dom
/** The table of a new upload where no folder matches the filters. */
import { fireEvent, render, screen } from '@testing-library/react';
import { createRef } from 'react';
import { expect, it } from 'vitest';
import { ReviewTable } from '../features/new-upload/review-table.tsx';
import { createTestWindow } from '../testing/render-query.tsx';
import { speakEnglish } from '../words/testing/speak-english.ts';
import { AppUi } from './app-ui.tsx';

speakEnglish();
it('leads back to all folders', async () => {
  const cleared: string[] = [];
  const { wrapper: Wrapper } = await createTestWindow({});
  const ignore = (): void => {};
  render(
    <Wrapper>
      <AppUi>
        <ReviewTable
          handle={createRef()}
          shownId={undefined}
          isMatched
          total={0}
          question="matched"
          rowAt={() => undefined}
          onRange={ignore}
          selection={{
            ids: new Set(),
            all: ignore,
            has: () => false,
            none: ignore,
            deselect: ignore,
            toggle: ignore,
            extend: ignore,
            rowLabel: () => '',
            allLabel: 'Folders',
          }}
          onActive={ignore}
          onOpen={ignore}
          onTakePart={ignore}
          onDrag={ignore}
          order={undefined}
          onOrder={ignore}
          onClearFilters={() => cleared.push('cleared')}
        />
      </AppUi>
    </Wrapper>,
  );
  expect(screen.getByText('No folders match.')).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(cleared).toEqual(['cleared']);
});
