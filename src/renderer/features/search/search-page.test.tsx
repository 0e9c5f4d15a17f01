// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPage } from '../../testing/render-page.tsx';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { SearchPage } from './search-page.tsx';

speakEnglish();

it('gives no count for a text before the text was searched for', async () => {
  await renderPage(<SearchPage text="mill" />, {
    search: {
      find: ({ text }) =>
        text === 'mill'
          ? { protocols: [], protocolTotal: 7, assignments: [], assignmentTotal: 0, cached: 0 }
          : new Promise(() => {}),
    },
  });
  await screen.findByText('7 results for “mill”');
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'mills' } });
  expect(screen.queryByText(/^7 results/)).toBeNull();
});
