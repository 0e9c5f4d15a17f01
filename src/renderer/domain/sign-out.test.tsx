// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPage } from '../testing/render-page.tsx';
import { speakEnglish } from '../words/testing/speak-english.ts';
import { SignOut } from './sign-out.tsx';

speakEnglish();

it('clears the offline data if that was chosen in the question', async () => {
  const signedOut: unknown[] = [];
  await renderPage(<SignOut />, { session: { signOut: (input) => void signedOut.push(input) } });
  fireEvent.click(screen.getByRole('button', { name: 'Sign out' }));
  const dialog = await screen.findByRole('alertdialog', { name: 'Sign out?' });
  const choice: HTMLInputElement = await screen.findByRole('checkbox', { name: /^Clear offline data/ });
  fireEvent.click(choice);
  expect(choice.checked).toBe(true);
  fireEvent.click(within(dialog).getByText('Sign out'));
  await waitFor(() => expect(signedOut).toEqual([{ eraseCache: true }]));
});
