// @vitest-environment happy-dom
/** Tests the keys that work on every page. */
import { act, createEvent, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { Snapshot } from '../../contract/app.ts';
import type { SessionStatus } from '../../contract/connection.ts';
import { DeskError, toErrorData } from '../../contract/errors.ts';
import type { Place } from '../state/store.tsx';
import { emptySnapshot, type SomeHandlers } from '../testing/fake-bridge.ts';
import { createTestWindow } from '../testing/render-query.tsx';
import { sampleBatch } from '../testing/sample-batch.ts';
import { pretendMac } from '../ui/testing/test-ui.ts';
import { speakEnglish } from '../words/testing/speak-english.ts';
import { App, AppUi } from './app.tsx';
import { ErrorBoundary, Shell } from './shell.tsx';

speakEnglish();

/**
 * Shows the window. Returns `emit`, which sends events to the window, and `press`, which presses a key. `press` returns
 * whether the app has handled the key, and the page that is open afterwards.
 */
const open = async (handlers: SomeHandlers = {}) => {
  const { store, emit, called, wrapper: Wrapper } = await createTestWindow(handlers);
  render(
    <Wrapper>
      <AppUi>
        <Shell />
      </AppUi>
    </Wrapper>,
  );
  await screen.findByRole('heading', { level: 1 });
  const press = (key: string, keys: object) => {
    const event = createEvent.keyDown(document.body, { key, ...keys });
    fireEvent(document.body, event);
    return { isTaken: event.defaultPrevented, page: store.getState().history.place.name };
  };
  return { press, emit, store, called };
};

const noRows = { Items: [], Count: 0, TotalCount: 0 };

/** The calls of the page of assignments. The service has none. */
const assignments: SomeHandlers['assignments'] = {
  projects: () => ({ value: noRows, unreadable: 0, source: 'service', fetchedAtMs: 0 }),
  table: () => ({ Items: [], known: 0, total: 0 }),
};

it('on a Mac, Command begins a new upload, and Control is left to the text field', async () => {
  pretendMac();
  const { press } = await open();
  for (const key of ['n', 'f', 'k', ',']) expect(press(key, { ctrlKey: true }).isTaken, key).toBe(false);
  expect(press('n', { ctrlKey: true, metaKey: true }).isTaken).toBe(false);
  expect(press('n', { metaKey: true })).toEqual({ isTaken: true, page: 'new-upload' });
});

it('elsewhere, Control does', async () => {
  const { press } = await open();
  expect(press('n', { metaKey: true }).isTaken).toBe(false);
  expect(press('n', { ctrlKey: true })).toEqual({ isTaken: true, page: 'new-upload' });
});

it('reads only the current page again when F5 or Ctrl+R is pressed', async () => {
  const { store, press, called } = await open({
    assignments,
    protocols: {
      list: () => ({ value: { ...noRows, CurrentPage: 1 }, unreadable: 0, source: 'service', fetchedAtMs: 0 }),
    },
  });
  const show = (place: Place) => act(async () => store.getState().open(place));
  const timesCalled = (call: string) => called.filter((name) => name === call).length;
  const isReadBy = async (call: string, key: string, keys: object) => {
    const before = timesCalled(call);
    expect(press(key, keys).isTaken).toBe(true);
    await waitFor(() => expect(timesCalled(call)).toBeGreaterThan(before));
  };
  await show({ name: 'protocols' });
  await isReadBy('protocols.list', 'F5', {});
  await show({ name: 'assignments' });
  const protocols = timesCalled('protocols.list');
  await isReadBy('assignments.projects', 'F5', {});
  await isReadBy('assignments.projects', 'r', { ctrlKey: true });
  expect(timesCalled('protocols.list')).toBe(protocols);
});

it('announces an upload that pauses again as often as it does, with the same words', async () => {
  const { emit } = await open();
  const status = await screen.findByRole('status', { name: 'Uploads' });
  const announced: (string | null)[] = [];
  new MutationObserver(() => announced.push(status.textContent)).observe(status, {
    characterData: true,
    childList: true,
    subtree: true,
  });
  const change = (revision: number, state: 'running' | 'paused') =>
    act(async () => emit({ type: 'batches', revision, batches: [{ ...sampleBatch, state }] }));
  await change(2, 'running');
  // Once this text is shown, the code of the announcements has been loaded, too.
  await screen.findByText('1 upload in progress');
  await change(3, 'paused');
  await waitFor(() => expect(announced).toHaveLength(1));
  await change(4, 'running');
  await change(5, 'paused');
  await waitFor(() => expect(announced).toHaveLength(2));
  expect(announced[0]).toMatch(/^folder: /);
  expect(announced[1]).toBe(announced[0]);
});

it('gives the heading of the page the focus after a dialog that was opened without one', async () => {
  const { press } = await open();
  press(',', { ctrlKey: true });
  const heading = await screen.findByRole('heading', { level: 1, name: 'Settings' });
  heading.blur();
  press('k', { ctrlKey: true });
  const field = await screen.findByRole('combobox');
  await waitFor(() => expect(document.activeElement).toBe(field));
  fireEvent.keyDown(field, { key: 'Escape' });
  expect(document.activeElement).toBe(heading);
});

it('loads the window again if code that could not be loaded is tried again', async () => {
  const { wrapper: Wrapper } = await createTestWindow({});
  const Part = (): never => {
    throw new TypeError('Failed to fetch dynamically imported module: app://desk/assets/part.js');
  };
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {});
  render(
    <Wrapper>
      <ErrorBoundary>
        <Part />
      </ErrorBoundary>
    </Wrapper>,
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(reload).toHaveBeenCalledOnce();
  reload.mockRestore();
  logged.mockRestore();
});

it('leaves nothing of a page in the document once the page is no longer kept', async () => {
  const { store } = await open({ assignments });
  const show = (place: Place) => act(async () => store.getState().open(place));
  await show({ name: 'assignments' });
  const button = await screen.findByRole('button', { name: 'Plan after… (0)' });
  const tooltip = await screen.findByText('Select the assignments first.');
  const portal = tooltip.closest('[data-portal-node]');
  expect(portal?.isConnected).toBe(true);
  for (let index = 0; index < 10; index += 1) await show({ name: 'upload', upload: `upload ${index}` });
  await waitFor(() => expect(button.isConnected).toBe(false));
  await waitFor(() => expect(portal?.isConnected).toBe(false));
});

it('shows the dialogs of a page above the toasts that were there before', async () => {
  const { store, wrapper: Wrapper } = await createTestWindow({});
  render(
    <Wrapper>
      <App />
    </Wrapper>,
  );
  act(() => store.getState().open({ name: 'settings' }));
  const clear = await screen.findByRole('button', { name: 'Clear offline data' });
  act(() => store.getState().report(new DeskError('data/unwritable', 'full')));
  const toast = await screen.findByText(/^Inspection Desk cannot write/);
  fireEvent.click(clear);
  const question = await screen.findByText('Clear offline data?');
  expect(toast.compareDocumentPosition(question)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

it('stays on a page whose dialog is open, whatever key leads to another one', async () => {
  const { press, store } = await open();
  act(() => store.getState().open({ name: 'settings' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Clear offline data' }));
  await screen.findByText('Clear offline data?');
  expect(press('ArrowLeft', { altKey: true }).page).toBe('settings');
  fireEvent.mouseUp(document.body, { button: 3 });
  expect(press('k', { ctrlKey: true }).page).toBe('settings');
  expect(screen.queryByRole('dialog', { name: 'Search everywhere' })).toBeNull();
});

/** Shows the page of assignments to the user ani. `expire` ends the session after `Lift` was typed in its search. */
const openTyped = async (signOutErases: Snapshot['office']['signOutErases'] = 'session') => {
  let snapshot: Snapshot = { ...emptySnapshot, session: ani, office: { ...emptySnapshot.office, signOutErases } };
  const { store, emit } = await open({ assignments, app: { snapshot: () => snapshot } });
  const become = (session: SessionStatus) => {
    snapshot = { ...snapshot, revision: snapshot.revision + 1, session };
    return act(async () => emit({ type: 'session', revision: snapshot.revision, value: session }));
  };
  const go = (place: Place) => act(async () => store.getState().open(place));
  const search = () => screen.getByRole<HTMLInputElement>('searchbox');
  const type = () => fireEvent.change(search(), { target: { value: 'Lift' } });
  const expire = async () => {
    await become({ state: 'signed-out', reason: toErrorData(new DeskError('auth/expired', 'expired')) });
    expect(screen.queryByRole('searchbox')).toBeNull();
    await become({ state: 'waiting', expiresAtMs: 0 });
  };
  await go({ name: 'assignments' });
  await screen.findByRole('searchbox');
  type();
  return { become, go, back: () => act(async () => store.getState().back()), search, type, expire };
};

const ani: SessionStatus = { state: 'signed-in', subject: 'ani' };

it('keeps what was typed on a page until its user has renewed an expired session, also in a page that is not in view', async () => {
  const { become, go, back, search, expire } = await openTyped();
  await expire();
  await become(ani);
  expect(search().value).toBe('Lift');
  await go({ name: 'protocols' });
  await expire();
  await become(ani);
  await back();
  expect(search().value).toBe('Lift');
});

it('leaves nothing of what was typed for another user, or after a sign-out, on no page', async () => {
  const { become, go, back, search, type, expire } = await openTyped();
  await expire();
  await become({ state: 'signed-in', subject: 'bo' });
  expect(search().value).toBe('');
  type();
  await go({ name: 'settings' });
  await become({ state: 'signed-out' });
  await become({ state: 'signed-in', subject: 'bo' });
  await back();
  expect(search().value).toBe('');
});

it('leaves nothing of what was typed after an expired session that erases offline data', async () => {
  const { become, search, expire } = await openTyped('offline-data');
  await expire();
  await become(ani);
  expect(search().value).toBe('');
});
