/** Prepares drafts in a desk, as a user does. */

import type { Draft, DraftRow } from '../../../src/contract/drafts.ts';
import type { Batch } from '../../../src/contract/uploads.ts';
import type { WantedRules } from '../../../src/main/core/drafts/upload-rules.ts';
import type { TestDesk } from './desks.ts';

export const openDraft = (desk: TestDesk, roots: readonly string[], AssignmentId?: string): Promise<void> =>
  Promise.resolve(
    desk.handlers.drafts.open({ folderIds: roots.map((root) => desk.adopt({ root }).folderId), AssignmentId }),
  );

/** Resolves to the draft as soon as `is` returns true for it; by default, as soon as it can be reviewed. */
export const whenDraft = (
  desk: TestDesk,
  is: (draft: Draft) => boolean = ({ phase }) => phase === 'ready',
): Promise<Draft> =>
  new Promise((resolve) => {
    const settle = (draft: Draft | undefined): void => {
      if (!draft || !is(draft)) return;
      stop();
      resolve(draft);
    };
    const stop = desk.onEvent((event) => {
      if (event.type === 'draft') settle(event.value);
    });
    settle(desk.drafts.current());
  });

/** Starts the current draft as soon as possible. Resolves to its only batch. */
export const startDraft = async (desk: TestDesk, wanted?: WantedRules): Promise<Batch> => {
  await whenDraft(desk);
  const { uploadId } = await desk.handlers.drafts.start(wanted);
  const batches = await desk.uploads.list();
  const [batch, ...others] = batches.filter((one) => one.uploadId === uploadId);
  if (batch === undefined || others.length > 0) throw new Error('the upload is not one batch');
  return batch;
};

/** All rows, in the order of the user's table. */
export const rowsOf = async (desk: TestDesk): Promise<readonly DraftRow[]> =>
  (await desk.handlers.drafts.rows({ filter: 'all', descending: false, offset: 0, limit: 1000 })).rows;
