// @vitest-environment happy-dom
/** Tests the page of watched folders while no user is signed in. */
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { WatchedFoldersPage } from '../features/watched-folders/watched-folders-page.tsx';
import { emptySnapshot } from '../testing/fake-bridge.ts';
import { createTestWindow } from '../testing/render-query.tsx';
import { speakEnglish } from '../words/testing/speak-english.ts';
import { AppUi } from './app.tsx';

speakEnglish();
it('leads to the sign-in, without which no folder can be watched', async () => {
  const { store, wrapper: Wrapper } = await createTestWindow({
    app: { snapshot: () => ({ ...emptySnapshot, session: { state: 'signed-out' } }) },
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
