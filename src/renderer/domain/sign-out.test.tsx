// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it, onTestFinished } from 'vitest';
import { windowWords } from '../../words/sv/window.ts';
import { renderPage } from '../testing/render-page.tsx';
import { speakEnglish } from '../words/testing/speak-english.ts';
import { speak } from '../words/words.ts';
import { SignOut } from './sign-out.tsx';

speakEnglish();

it('clears the offline data if that was chosen in the question', async () => {
  const signedOut: unknown[] = [];
  await renderPage(<SignOut />, { session: { signOut: (input) => void signedOut.push(input) } });
  fireEvent.click(screen.getByRole('button', { name: 'Sign out' }));
  const dialog = await screen.findByRole('alertdialog', { name: 'Sign out?' });
  expect(dialog.textContent).toContain('pending changes wait until you sign in again');
  const choice: HTMLInputElement = await screen.findByRole('checkbox', { name: /^Clear offline data/ });
  fireEvent.click(choice);
  expect(choice.checked).toBe(true);
  fireEvent.click(within(dialog).getByText('Sign out'));
  await waitFor(() => expect(signedOut).toEqual([{ eraseCache: true }]));
});

it('asks in the new language once that is changed', async () => {
  const { rerender } = await renderPage(<SignOut />);
  fireEvent.click(screen.getByRole('button', { name: 'Sign out' }));
  const dialog = await screen.findByRole('alertdialog', { name: 'Sign out?' });
  onTestFinished(speakEnglish);
  act(() => speak({ name: 'window', locale: 'sv', words: windowWords }));
  rerender(<SignOut />);
  expect(dialog.textContent).toContain(windowWords.settings.signOutQuestion);
});
