// @vitest-environment happy-dom
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { createTestWindow } from '../testing/render-query.tsx';
import { speakEnglish } from '../words/testing/speak-english.ts';
import { CopyButton } from './copy.tsx';

speakEnglish();

it('shows a check mark only if the text was copied', async () => {
  const writeText = vi.fn(async () => {}).mockRejectedValueOnce(new Error('denied'));
  Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true });
  const { wrapper } = await createTestWindow({});
  render(<CopyButton label="Copy Facility" text="FAC-1" />, { wrapper });
  const button = screen.getByRole('button');
  const icon = () => button.querySelector('path')?.getAttribute('d');
  const copyIcon = icon();
  fireEvent.click(button);
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('Could not copy'));
  expect(icon()).toBe(copyIcon);
  fireEvent.click(button);
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('Copied'));
  expect(icon()).not.toBe(copyIcon);
});
