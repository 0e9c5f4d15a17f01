// @vitest-environment happy-dom
import { act, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { DeskError } from '../../contract/errors.ts';
import type { UploadFile, VerifiedPart } from '../../contract/uploads.ts';
import { emptySnapshot } from '../testing/fake-bridge.ts';
import { createTestWindow } from '../testing/render-query.tsx';
import { sampleBatch } from '../testing/sample-batch.ts';
import { useBatchFiles, useErrorGroups, useVerifiedFiles } from './uploads.ts';

const { batchId } = sampleBatch;

const fileOf = (id: number): UploadFile => ({
  id,
  path: `${id}.jpg`,
  FileName: `${id}.jpg`,
  sizeBytes: 1,
  state: 'done',
  attempts: 1,
});

it('reads the files around those in view, of the states that are asked for', async () => {
  const asked: unknown[] = [];
  const { render } = await createTestWindow({
    uploads: {
      files: (input) => {
        asked.push(input);
        const rows = Array.from({ length: input.limit }, (_, index) => fileOf(input.offset + index));
        return { files: rows, total: 1000 };
      },
    },
  });
  const { result } = render(() => useBatchFiles({ batchId, states: ['failed'] }), undefined);
  await waitFor(() => expect(result.current.held?.total).toBe(1000));
  expect(result.current.rowAt(3)?.id).toBe(3);
  expect(result.current.rowAt(500)).toBeUndefined();
  act(() => result.current.onRange(500, 510));
  await waitFor(() => expect(result.current.rowAt(500)?.id).toBe(500));
  expect(asked.at(-1)).toEqual({ batchId, states: ['failed'], offset: 450, limit: 100 });
  expect((await result.current.read(900, 2)).rows.map(({ id }) => id)).toEqual([900, 901]);
});

it('reads the files and the reasons again when their batch changes', async () => {
  let failed = 0;
  const { render, emit } = await createTestWindow({
    app: { snapshot: () => ({ ...emptySnapshot, batches: [sampleBatch] }) },
    uploads: {
      files: () => ({ files: [], total: failed }),
      errorGroups: () => [{ code: 'upload/stalled', files: failed }],
    },
  });
  const { result } = render(() => ({ files: useBatchFiles({ batchId }), groups: useErrorGroups(batchId) }), undefined);
  await waitFor(() => expect(result.current.groups.value).toEqual([{ code: 'upload/stalled', files: 0 }]));
  failed = 2;
  act(() => emit({ type: 'batches', revision: 2, batches: [{ ...sampleBatch, failed }] }));
  await waitFor(() => expect(result.current.files.held?.total).toBe(2));
  await waitFor(() => expect(result.current.groups.value).toEqual([{ code: 'upload/stalled', files: 2 }]));
});

const partOf = (next?: number): VerifiedPart => ({
  files: [{ ...fileOf(1), verdict: 'same' }],
  ...(next !== undefined && { next }),
});
const count = (sum: number, { files }: VerifiedPart): number => sum + files.length;

it('verifies part after part until the last', async () => {
  const { render } = await createTestWindow({
    uploads: { verify: ({ after }) => partOf(after < 20 ? after + 10 : undefined) },
  });
  const { result } = render(() => useVerifiedFiles(batchId, 0, count), undefined);
  expect(result.current).toEqual({ sum: 0, busy: true, error: undefined });
  await waitFor(() => expect(result.current).toEqual({ sum: 3, busy: false, error: undefined }));
});

it('keeps what was verified before an error', async () => {
  const { render } = await createTestWindow({
    uploads: {
      verify: ({ after }) => {
        if (after > 0) throw new DeskError('upload/folder-missing', 'gone');
        return partOf(10);
      },
    },
  });
  const { result } = render(() => useVerifiedFiles(batchId, 0, count), undefined);
  await waitFor(() => expect(result.current.error?.code).toBe('upload/folder-missing'));
  expect(result.current).toMatchObject({ sum: 1, busy: false });
});

it('stops verifying when it is closed, and begins from the start the next time', async () => {
  const asked: number[] = [];
  const { render, called } = await createTestWindow({
    uploads: {
      verify: ({ after }) => {
        asked.push(after);
        return after === 0 ? partOf(10) : new Promise(() => {});
      },
      cancelVerify: () => {},
    },
  });
  const first = render(() => useVerifiedFiles(batchId, 0, count), undefined);
  await waitFor(() => expect(asked).toEqual([0, 10]));
  first.unmount();
  await waitFor(() => expect(called).toContain('uploads.cancelVerify'));
  render(() => useVerifiedFiles(batchId, 0, count), undefined);
  await waitFor(() => expect(asked).toEqual([0, 10, 0, 10]));
});
