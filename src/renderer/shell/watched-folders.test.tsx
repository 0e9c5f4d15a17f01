// @vitest-environment happy-dom
/** Tests the page of watched folders. */
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { WORKING_DAYS } from '../../contract/hours.ts';
import type { WatchedFolder } from '../../contract/watched-folders.ts';
import { WatchedFoldersPage } from '../features/watched-folders/watched-folders-page.tsx';
import { emptySnapshot } from '../testing/fake-bridge.ts';
import { renderPage } from '../testing/render-page.tsx';
import { createTestWindow } from '../testing/render-query.tsx';
import { speakEnglish } from '../words/testing/speak-english.ts';
import { AppUi } from './app.tsx';

speakEnglish();
const scans: WatchedFolder = {
  watchedId: 1,
  name: 'Scans',
  path: '/Scans',
  state: 'signed-out',
  onClash: 'rename',
  hours: [],
  paused: false,
  settling: 0,
  waiting: 0,
  toMatch: { files: 0, folders: 0 },
};

it.each([
  ['no folder can be watched', []],
  ['no watched folder is read', [scans]],
])('leads to the sign-in, without which %s', async (_, watchedFolders) => {
  const { store, wrapper: Wrapper } = await createTestWindow({
    app: { snapshot: () => ({ ...emptySnapshot, watchedFolders, session: { state: 'signed-out' } }) },
  });
  store.getState().open({ name: 'watched-folders' });
  render(
    <Wrapper>
      <AppUi>
        <WatchedFoldersPage />
      </AppUi>
    </Wrapper>,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Go to sign-in' }));
  expect(store.getState().history.place).toEqual({ name: 'protocols' });
});

it('keeps a folder paused that is paused while its rules are changed', async () => {
  const changed: unknown[] = [];
  const { emit } = await renderPage(<WatchedFoldersPage />, {
    app: { snapshot: () => ({ ...emptySnapshot, watchedFolders: [{ ...scans, state: 'watching' }] }) },
    watchedFolders: { change: (input) => void changed.push(input) },
  });
  fireEvent.click(screen.getByRole('button', { name: 'Change…: Scans' }));
  const save = await screen.findByText('Save');
  act(() => emit({ type: 'watchedFolders', revision: 2, value: [{ ...scans, state: 'watching', paused: true }] }));
  await screen.findByText('Resume');
  fireEvent.click(save);
  await waitFor(() => expect(changed).toMatchObject([{ watchedId: 1, rules: { paused: true } }]));
});

it('saves both of two rules that are changed right after each other', async () => {
  const changed: unknown[] = [];
  await renderPage(<WatchedFoldersPage />, {
    app: { snapshot: () => ({ ...emptySnapshot, watchedFolders: [{ ...scans, state: 'watching' }] }) },
    watchedFolders: { change: (input) => void changed.push(input) },
  });
  fireEvent.click(screen.getByRole('button', { name: 'Change…: Scans' }));
  const save = await screen.findByText('Save');
  fireEvent.change(screen.getByLabelText('When files are uploaded'), { target: { value: 'workingDays' } });
  fireEvent.change(screen.getByLabelText('If a name is taken'), { target: { value: 'skip' } });
  fireEvent.click(save);
  await waitFor(() => expect(changed).toMatchObject([{ rules: { hours: [{ days: WORKING_DAYS }], onClash: 'skip' } }]));
});
