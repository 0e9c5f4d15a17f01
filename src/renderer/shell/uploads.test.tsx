// @vitest-environment happy-dom
/**
 * Tests the pages of uploads in the window: what they show about several batches, and which calls their buttons make.
 */
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import type { ReactElement } from 'react';
import { expect, it, onTestFinished, vi } from 'vitest';
import { DeskError } from '../../contract/errors.ts';
import type { FoundFiles } from '../../contract/files.ts';
import type { Batch } from '../../contract/uploads.ts';
import { uploadOf } from '../domain/uploads/batch-words.ts';
import { UploadActions, UploadProgress } from '../domain/uploads/batches.tsx';
import { FilesPage } from '../features/files/files-page.tsx';
import { Attention } from '../features/overview/panels.tsx';
import { SignInPage } from '../features/sign-in/sign-in-page.tsx';
import { BatchPage, UploadPage } from '../features/uploads/upload-page.tsx';
import { UploadsPage } from '../features/uploads/uploads-page.tsx';
import { emptySnapshot } from '../testing/fake-bridge.ts';
import { createTestWindow } from '../testing/render-query.tsx';
import { sampleBatch } from '../testing/sample-batch.ts';
import { speakEnglish } from '../words/testing/speak-english.ts';
import { AppUi } from './app.tsx';
import { Navigation } from './navigation.tsx';
import { Notices } from './notices.tsx';
import { SideFoot } from './side-foot.tsx';
import { Toasts } from './toasts.tsx';
import { UploadAnnouncer, UploadIndicator } from './upload-signs.tsx';

speakEnglish();
const UPLOAD = '00000000-0000-4000-8000-00000000000f';
const batch = (name: string, id: number, more: Partial<Batch> = {}): Batch => ({
  ...sampleBatch,
  batchId: `00000000-0000-4000-8000-00000000000${id}`,
  uploadId: UPLOAD,
  root: `/jobs/${name}`,
  title: `${id} ${name}, York`,
  AssignmentId: `00000000-0000-4000-8000-0000000000a${id}`,
  state: 'finished',
  files: 10,
  uploaded: 10,
  ...more,
});
const together = [batch('Mill Street', 1), batch('High Road', 2, { state: 'running', uploaded: 4 })];
const alone = batch('Photos', 3, { uploadId: '00000000-0000-4000-8000-0000000000e3', uploaded: 8, cancelled: 2 });

const setUp = async (batches: readonly Batch[] = [...together, alone], answers: Partial<FoundFiles>[] = []) => {
  const asked: unknown[] = [];
  const { wrapper: Wrapper, store } = await createTestWindow({
    app: { snapshot: () => ({ ...emptySnapshot, batches }) },
    uploads: { pause: (input) => void asked.push(input) },
    files: {
      find: ({ uploadId, states }) => {
        asked.push({ uploadId, states });
        return { files: [], total: 0, isMore: false, ...answers.shift() };
      },
    },
  });
  const inWindow = (page: ReactElement) => (
    <Wrapper>
      <AppUi>{page}</AppUi>
    </Wrapper>
  );
  const show = (page: ReactElement) => {
    const { rerender } = render(inWindow(page));
    return { change: (changed: ReactElement) => rerender(inWindow(changed)) };
  };
  return { show, asked, store };
};

it('lists uploads, not folders, and pauses all folders of one', async () => {
  const { show, asked } = await setUp();
  show(<UploadsPage />);
  const cards = within(screen.getByRole('list', { name: 'Uploads' })).getAllByRole('listitem');
  expect(cards.map((card) => within(card).getAllByRole('button')[0]?.textContent)).toEqual(['jobs', 'Photos']);
  // The names of folders come last, because a long text is cut off. Uploads of the same folders differ in when they
  // were started.
  expect(cards[0]?.textContent).toMatch(/jobsTo 2 assignments · Started .+ · Mill Street; High Road/);
  expect(cards[0]?.textContent).toContain('1 of 2 folders');
  fireEvent.click(screen.getByRole('button', { name: 'Pause' }));
  await waitFor(() => expect(asked).toEqual([{ uploadId: UPLOAD }]));
});

it('shows the folders of an upload with their assignments', async () => {
  const { show } = await setUp();
  show(<UploadPage upload={UPLOAD} />);
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('jobs');
  expect(screen.getByText(/^Started .+ · 2 folders$/)).toBeTruthy();
  expect(screen.getByRole('columnheader', { name: /Assignment/ })).toBeTruthy();
  expect(screen.getByRole('progressbar', { name: 'Progress of jobs' })).toBeTruthy();
});

it('leads from an upload of several folders to the failed files of all of them, and why they failed', async () => {
  const height = vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
  onTestFinished(() => height.mockRestore());
  const file = { path: 'photos/1.jpg', FileName: '1.jpg', state: 'failed', addedAtMs: 1 } as const;
  const AssignmentId = '00000000-0000-4000-8000-0000000000a2';
  const { show, store, asked } = await setUp(
    [batch('Mill Street', 1), batch('High Road', 2, { uploaded: 7, failed: 3 })],
    [{ files: [{ ...file, AssignmentId, error: 'upload/file-locked' }], total: 1 }],
  );
  show(<UploadPage upload={UPLOAD} />);
  fireEvent.click(screen.getByRole('button', { name: 'Show failed files' }));
  const failedOf = { uploadId: UPLOAD, title: 'jobs' };
  expect(store.getState().history.place).toEqual({ name: 'files', failedOf });
  show(<FilesPage failedOf={failedOf} />);
  await waitFor(() => expect(asked).toContainEqual({ uploadId: UPLOAD, states: ['failed', 'uncertain'] }));
  expect(await screen.findByText('The file is in use by another program.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'All files' })).toBeTruthy();
});

it('reads found files again while files are being indexed, also where none was added since', async () => {
  const indexing = { files: 20, total: 100 };
  const { show } = await setUp([alone], [{ indexing }, { indexing }]);
  show(<FilesPage />);
  const words = 'added to the search: 20 of 100 files';
  expect(await screen.findByText(words, { exact: false })).toBeTruthy();
  await waitFor(() => expect(screen.queryByText(words, { exact: false })).toBeNull());
});

it('has a filter for cancelled files, where there are any', async () => {
  const { show } = await setUp();
  show(<BatchPage batch={alone.batchId} />);
  expect(screen.getAllByRole('tab')).toHaveLength(5);
  expect(screen.getByRole('tab', { name: /Cancelled \(2\)/ })).toBeTruthy();
});

it('leads from the top of the overview to an upload that needs somebody, and to no other', async () => {
  const failed = { ...alone, uploaded: 8, failed: 2, createdAtMs: Date.now() - 60_000 };
  const long = {
    uploadId: '00000000-0000-4000-8000-0000000000e4',
    failed: 2,
    createdAtMs: Date.now() - 8 * 86_400_000,
  };
  const { show, store } = await setUp([...together, failed, batch('Forgotten', 4, long)]);
  show(<Attention />);
  expect(await screen.findByText('1 upload needs attention')).toBeDefined();
  expect(screen.getByText(/^Photos: Upload finished: 8 uploaded, 2 failed/)).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Show upload' }));
  expect(store.getState().history.place).toEqual({ name: 'upload', upload: failed.uploadId });
});

it('says at the top of the overview how many uploads need somebody', async () => {
  const reason = { code: 'upload/scheduled', message: '', retry: 'later', details: {} } as const;
  const paused = (id: number, more: Partial<Batch> = {}): Batch =>
    batch('Paused', id, { uploadId: `00000000-0000-4000-8000-0000000000e${id}`, state: 'paused', ...more });
  const { show } = await setUp([
    paused(1),
    paused(2),
    paused(3, { reason }),
    paused(4, { isOthers: true }),
    paused(5, { isOthers: true, state: 'finished', failed: 2, createdAtMs: Date.now() }),
    ...together,
  ]);
  show(<Attention />);
  expect(await screen.findByText('2 uploads need attention')).toBeDefined();
  expect(screen.getByRole('button', { name: 'All uploads' })).toBeDefined();
});

it('shows nothing at the top of the overview while no upload needs anybody', async () => {
  const { show } = await setUp();
  show(<Attention />);
  expect(screen.queryByRole('button')).toBeNull();
});

it('keeps the focus on the retry of failed files when the upload ends', async () => {
  const { show } = await setUp();
  const running = batch('High Road', 2, { state: 'running', uploaded: 4, failed: 2 });
  const { change } = show(<UploadActions upload={uploadOf(running)} />);
  const retry = () => screen.getByRole('button', { name: 'Retry failed files' });
  retry().focus();
  change(<UploadActions upload={uploadOf({ ...running, state: 'finished' })} />);
  expect(document.activeElement).toBe(retry());
});

it('has no numbers for an upload whose folder could not be read', async () => {
  const { show } = await setUp();
  const reason = { code: 'upload/folder-missing', message: '', retry: 'never', details: { path: '/jobs/x' } } as const;
  const unread = batch('High Road', 2, { state: 'paused', files: 0, uploaded: 0, bytes: 0, reason });
  show(<UploadProgress upload={uploadOf(unread)} />);
  expect(await screen.findByText('The folder /jobs/x is no longer there.')).toBeTruthy();
  expect(document.body.textContent).not.toContain('0 of 0 files');
});

it('offers no step for an upload of another user, and says whose it is', async () => {
  const { show } = await setUp();
  const others = uploadOf(batch('High Road', 2, { state: 'paused', uploaded: 4, failed: 2, isOthers: true }));
  show(
    <>
      <UploadProgress upload={others} />
      <UploadActions upload={others} />
    </>,
  );
  expect(screen.getByText('This upload belongs to another account or service.')).toBeTruthy();
  const disabled = screen.getAllByRole('button').map((button) => button.getAttribute('aria-disabled'));
  expect(disabled).toEqual(['true', 'true', 'true']);
});

it('shows an error once, until the session ends', async () => {
  const { emit, store, wrapper } = await createTestWindow({});
  render(<Toasts />, { wrapper });
  const toasts = () => screen.queryAllByText('This upload belongs to another account or service.');
  const report = () => act(() => store.getState().report(new DeskError('upload/other-session', 'no')));
  report();
  report();
  await waitFor(() => expect(toasts()).toHaveLength(1));
  act(() => emit({ revision: 2, type: 'session', value: { state: 'signed-out' } }));
  await waitFor(() => expect(toasts()).toEqual([]));
});

it('leads from the sign-out to the sign-in, which gets the focus, on a page that needs no session', async () => {
  const { emit, store, wrapper } = await createTestWindow({});
  store.getState().open({ name: 'uploads' });
  render(<SideFoot />, { wrapper });
  (await screen.findByRole('button', { name: 'Sign out' })).focus();
  act(() => emit({ revision: 2, type: 'session', value: { state: 'signed-out' } }));
  const signIn = screen.getByRole('button', { name: 'Sign in' });
  expect(document.activeElement).toBe(signIn);
  fireEvent.click(signIn);
  expect(store.getState().signInRequested).toBe(true);
  // Now the sign-in page, which has a button of its own, is shown.
  expect(screen.queryByRole('button', { name: 'Sign in' })).toBeNull();
});

it('says since when a storage has been offline', async () => {
  const { emit, wrapper } = await createTestWindow({});
  render(<SideFoot />, { wrapper });
  const reason = { code: 'network/interrupted', message: '', retry: 'later', details: {} } as const;
  const storage = { state: 'unreachable', host: 'storage.example', sinceMs: 1, reason } as const;
  act(() => emit({ revision: 2, type: 'reachability', value: { service: { state: 'online' }, storage } }));
  expect(screen.getByText(/^Storage offline since /)).toBeTruthy();
});

it('offers to sign in, not to resume, while the session that an upload needs has ended', async () => {
  const reason = { code: 'auth/expired', message: '', retry: 'never', details: {} } as const;
  const { emit, wrapper } = await createTestWindow({});
  render(<UploadActions upload={uploadOf({ ...alone, state: 'paused', reason })} />, { wrapper });
  expect(screen.getByRole('button', { name: 'Resume' })).toBeTruthy();
  act(() => emit({ revision: 2, type: 'session', value: { state: 'signed-out' } }));
  expect(screen.queryByRole('button', { name: 'Resume' })).toBeNull();
});

it('begins the sign-in that was requested, once, and offers the offline data again if nothing came of it', async () => {
  let begun = 0;
  const { emit, store, wrapper } = await createTestWindow({
    session: {
      signIn: () => {
        begun += 1;
      },
    },
  });
  act(() => emit({ revision: 2, type: 'session', value: { state: 'signed-out' } }));
  store.getState().open({ name: 'overview' });
  store.getState().browseOffline(true);
  render(<Notices />, { wrapper });
  fireEvent.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(screen.queryByText(/You are viewing offline data/)).toBeNull();
  render(<SignInPage />, { wrapper });
  await waitFor(() => expect(begun).toBe(1));
  await act(async () => {});
  fireEvent.click(screen.getByRole('button', { name: 'Sign in' }));
  await waitFor(() => expect(begun).toBe(2));
  act(() => store.getState().browseOffline(true));
  expect(store.getState().signInRequested).toBe(false);
});

it('counts uploads, not folders, and says that they wait once each folder of them does', async () => {
  const running = together.map((one): Batch => ({ ...one, state: 'running' }));
  const paced = {
    code: 'service/busy',
    message: '',
    retry: 'later',
    details: { host: 'files.example', paced: true },
  } as const;
  const showing = async (batches: readonly Batch[]) => {
    const { wrapper } = await createTestWindow({ app: { snapshot: () => ({ ...emptySnapshot, batches }) } });
    const { unmount } = render(
      <>
        <Navigation />
        <UploadIndicator />
      </>,
      { wrapper },
    );
    const shown = [
      (await screen.findByLabelText('1 in progress')).textContent,
      screen.getByText(/^1 upload/).textContent,
    ];
    unmount();
    return shown;
  };
  const [first, ...others] = running;
  expect(await showing(running)).toEqual(['1', '1 upload in progress']);
  expect(await showing(first ? [{ ...first, reason: paced }, ...others] : [])).toEqual(['1', '1 upload in progress']);
  expect(await showing(running.map((one) => ({ ...one, reason: paced })))).toEqual(['1', '1 upload waiting']);
});

it('announces the end of an upload that had ended before it was seen, but of none that is older than the window', async () => {
  // After a change of the service, the uploads to the other service are there.
  const other = batch('Old photos', 4, { uploadId: '00000000-0000-4000-8000-0000000000e4', createdAtMs: 0 });
  const { show } = await setUp([...together, alone, other]);
  const announced: string[] = [];
  const atStart = { atMs: alone.createdAtMs, batches: together };
  show(<UploadAnnouncer atStart={atStart} onAnnounce={(text) => announced.push(text)} />);
  expect(announced).toEqual(['Photos: Upload finished: 8 uploaded, 2 cancelled.']);
});
