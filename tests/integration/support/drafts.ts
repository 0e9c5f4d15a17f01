/** Drafts of a desk, as a person prepares them. */

import type { Draft, DraftRow } from '../../../src/contract/drafts.ts';
import type { Batch } from '../../../src/contract/uploads.ts';
import type { WantedRules } from '../../../src/main/core/drafts/upload-rules.ts';
import type { TestDesk } from './desks.ts';

/** Opens a draft of these folders. */
export const openDraft = (desk: TestDesk, roots: readonly string[], AssignmentId?: string): Promise<Draft> =>
  Promise.resolve(
    desk.handlers.drafts.open({ folderIds: roots.map((root) => desk.adopt({ root }).folderId), AssignmentId }),
  );

/** Resolves with the draft as soon as `is` holds for it; by default when it can be reviewed. */
export const whenDraft = (
  desk: TestDesk,
  is: (draft: Draft) => boolean = ({ phase }) => phase === 'ready',
): Promise<Draft> =>
  new Promise((resolve, reject) => {
    const settle = (draft: Draft | undefined): void => {
      if (!draft || !is(draft)) return;
      stop();
      resolve(draft);
    };
    const stop = desk.onEvent((event) => {
      if (event.type === 'draft') settle(event.value);
    });
    Promise.resolve(desk.handlers.drafts.get(undefined)).then(settle).catch(reject);
  });

/** Starts the draft that is there, once it can be; resolves with its batch, the only one. */
export const startDraft = async (desk: TestDesk, wanted?: WantedRules): Promise<Batch> => {
  await whenDraft(desk);
  const { uploadId } = await desk.handlers.drafts.start(wanted);
  const batches = await desk.uploads.list(desk.connected().connectionId);
  const [batch, ...others] = batches.filter((one) => one.uploadId === uploadId);
  if (batch === undefined || others.length > 0) throw new Error('the upload is not one batch');
  return batch;
};

/** All rows, in the order of a person's table. */
export const rowsOf = async (desk: TestDesk): Promise<readonly DraftRow[]> =>
  (await desk.handlers.drafts.rows({ filter: 'all', descending: false, offset: 0, limit: 1000 })).rows;
