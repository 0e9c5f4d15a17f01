// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { DeskError } from '../../../contract/errors.ts';
import type { Verdict, VerifiedFile, VerifiedPart } from '../../../contract/uploads.ts';
import { groupUploads, uploadOf } from '../../domain/uploads/batch-words.ts';
import { renderPage } from '../../testing/render-page.tsx';
import { createTestWindow } from '../../testing/render-query.tsx';
import { sampleBatch } from '../../testing/sample-batch.ts';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { useVerification, VerifyDialog } from './verify-dialog.tsx';

speakEnglish();

const file = (verdict: Verdict): VerifiedFile => ({
  path: 'a/b.txt',
  FileName: 'b.txt',
  state: 'done',
  sizeBytes: 1,
  verdict,
});
const batches = [sampleBatch];

const partOf = (verdicts: readonly Verdict[], next?: number): VerifiedPart => ({
  files: verdicts.map(file),
  ...(next !== undefined && { next }),
});

test.each<readonly [readonly Verdict[], string]>([
  [['same'], 'The file is unchanged.'],
  [['same', 'same'], 'All 2 files are unchanged.'],
  [
    ['same', 'missing', 'changed', 'missing', 'not-uploaded'],
    '1 of 5 files unchanged. 1 changed, 2 missing, 1 not uploaded.',
  ],
  [['unreadable'], '0 of 1 file unchanged. 1 unreadable.'],
  [['same', 'removed', 'removed'], '1 of 3 files unchanged. 2 no longer on the assignment.'],
])('says in words what became of the files: %j', async (verdicts, text) => {
  const verify = () => partOf(verdicts);
  await renderPage(<VerifyDialog upload={uploadOf(sampleBatch)} onClose={() => {}} />, { uploads: { verify } });
  await screen.findByText(text);
  // Files that were removed from the assignment do not count as different.
  const differs = verdicts.some((verdict) => verdict !== 'same' && verdict !== 'removed');
  expect(screen.queryByRole('table') !== null).toBe(differs);
  expect(screen.queryByRole('button', { name: 'Open folder' }) !== null).toBe(differs);
});

test('says in the dialog why the folder cannot be opened, until it is tried again', async () => {
  const retried = Promise.withResolvers<void>();
  let tries = 0;
  const reveal = () => {
    tries += 1;
    if (tries === 1) throw new DeskError('upload/folder-missing', 'gone');
    return retried.promise;
  };
  const { store } = await renderPage(<VerifyDialog upload={uploadOf(sampleBatch)} onClose={() => {}} />, {
    uploads: { verify: () => partOf(['missing']), reveal },
  });
  const open = await screen.findByRole('button', { name: 'Open folder' });
  fireEvent.click(open);
  const alert = await screen.findByRole('alert');
  expect(screen.getByRole('dialog').contains(alert)).toBe(true);
  // The error must not be in a toast, which neither the keyboard nor a screen reader would reach.
  expect(store.getState().reports).toEqual([]);
  fireEvent.click(open);
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  retried.resolve();
});

test('lists what differs, in order, up to what anybody reads', async () => {
  const many = Array.from({ length: 6_000 }, () => 'missing' as const);
  const parts = [partOf(['same', 'removed', 'missing', 'changed'], 1), partOf(many, 2), partOf(many)];
  const { render } = await createTestWindow({ uploads: { verify: ({ after }) => parts[after] ?? partOf([]) } });
  const { result } = render(() => useVerification(batches), undefined);
  await waitFor(() => expect(result.current.busy).toBe(false));
  const { differing, counts } = result.current;
  expect(differing.slice(0, 3).map(({ verdict }) => verdict)).toEqual(['missing', 'changed', 'missing']);
  expect(differing).toHaveLength(10_000);
  expect(counts).toMatchObject({ missing: 12_001, changed: 1 });
});

const batchOf = (name: string, AssignmentId: string) => ({
  ...sampleBatch,
  batchId: name,
  root: `/jobs/${name}`,
  AssignmentId,
});

test('compares all folders of an upload, although one of them cannot be read', async () => {
  const { render } = await createTestWindow({
    uploads: {
      verify: ({ batchId }) => {
        if (batchId === 'b') throw new DeskError('upload/folder-missing', 'gone');
        return partOf(['same', 'changed']);
      },
    },
  });
  const all = ['a', 'b', 'c'].map((name) => batchOf(name, '1'));
  const { result } = render(() => useVerification(all), undefined);
  await waitFor(() => expect(result.current.busy).toBe(false));
  expect(result.current.error?.code).toBe('upload/folder-missing');
  expect(result.current.differing.map(({ path }) => path)).toEqual(['a/a/b.txt', 'c/a/b.txt']);
});

test.each([
  { assignments: ['1', '1'], to: { AssignmentId: '1' } },
  { assignments: ['1', '2'], to: {} },
])('gives the changed files of all folders to a new upload: $assignments', async ({ assignments, to }) => {
  const [upload = expect.unreachable()] = groupUploads(assignments.map((id, index) => batchOf(`${index}`, id)));
  const { store } = await renderPage(<VerifyDialog upload={upload} onClose={() => {}} />, {
    uploads: { verify: () => partOf(['changed']) },
    folders: { changed: ({ batchIds }) => batchIds.map((folderId) => ({ folderId, name: folderId })) },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Upload changed files…' }));
  const folders = ['0', '1'].map((name) => ({ folderId: name, name }));
  await waitFor(() => expect(store.getState().given).toEqual({ folders, ...to, isFromOther: true }));
});

const pageOf = (next?: number): VerifiedPart => partOf(['same'], next);

test('verifies part after part until the last', async () => {
  const { render } = await createTestWindow({
    uploads: { verify: ({ after }) => pageOf(after < 20 ? after + 10 : undefined) },
  });
  const { result } = render(() => useVerification(batches), undefined);
  expect(result.current).toMatchObject({ done: 0, busy: true, error: undefined });
  await waitFor(() => expect(result.current).toMatchObject({ done: 3, busy: false, error: undefined }));
});

test('keeps what was verified before an error', async () => {
  const { render } = await createTestWindow({
    uploads: {
      verify: ({ after }) => {
        if (after > 0) throw new DeskError('upload/folder-missing', 'gone');
        return pageOf(10);
      },
    },
  });
  const { result } = render(() => useVerification(batches), undefined);
  await waitFor(() => expect(result.current.error?.code).toBe('upload/folder-missing'));
  expect(result.current).toMatchObject({ done: 1, busy: false });
});

test('stops verifying when it is closed, and begins from the start the next time', async () => {
  const asked: number[] = [];
  let last: AbortSignal | undefined;
  const { render } = await createTestWindow({
    uploads: {
      verify: ({ after }, signal) => {
        asked.push(after);
        last = signal;
        return after === 0 ? pageOf(10) : new Promise(() => {});
      },
    },
  });
  const first = render(() => useVerification(batches), undefined);
  await waitFor(() => expect(asked).toEqual([0, 10]));
  first.unmount();
  await waitFor(() => expect(last?.aborted).toBe(true));
  render(() => useVerification(batches), undefined);
  await waitFor(() => expect(asked).toEqual([0, 10, 0, 10]));
});
