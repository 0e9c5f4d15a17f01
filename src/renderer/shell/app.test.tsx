// @vitest-environment happy-dom
import { act, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { createTestWindow } from '../testing/render-query.tsx';
import { speakEnglish } from '../words/testing/speak-english.ts';
import { App } from './app.tsx';

speakEnglish();

vi.mock('./toasts.tsx', () => {
  throw new TypeError('Failed to fetch dynamically imported module');
});

it('says that the code of the toasts cannot be loaded, rather than showing an empty window', async () => {
  const { store, wrapper: Wrapper } = await createTestWindow({});
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  render(
    <Wrapper>
      <App />
    </Wrapper>,
  );
  await screen.findByRole('heading', { level: 1 });
  act(() => store.getState().report(new Error('an action failed')));
  expect(await screen.findByText('Inspection Desk encountered an error.')).toBeDefined();
  expect(screen.queryByRole('heading', { level: 1 })).toBeNull();
  logged.mockRestore();
});
