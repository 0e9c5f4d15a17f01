import { uniqBy } from 'es-toolkit';
import type { Folder, UploadDoubt } from '../../../contract/upload-preview.ts';
import { statusName } from '../../domain/assignments/status-badge.tsx';
import { useUploadDoubts } from '../../queries/uploads.ts';
import { t } from '../../words/words.ts';

type DoubtText = { readonly title: string; readonly text: string };

/** Each folder costs a few queries of the offline data, and nobody reads doubts about more. */
const mostAsked = 50;

const doubtText = (folder: string, doubt: UploadDoubt): DoubtText =>
  doubt.kind === 'status'
    ? {
        title: t('assignment.upload.doubt.status', { status: statusName(doubt.AssignmentStatus) }),
        text: t('assignment.upload.doubt.statusTodo'),
      }
    : {
        title: t('assignment.upload.doubt.other', { folder }),
        text: t('assignment.upload.doubt.otherTodo', { found: doubt.found, name: doubt.name }),
      };

/** What speaks against an upload of `folders` to the assignment `id`, in words; undefined until that is known. */
export const useDoubtTexts = (id: string, folders: readonly Folder[]): readonly DoubtText[] | undefined => {
  const asked = folders.slice(0, mostAsked);
  const doubts = useUploadDoubts(
    id,
    asked.map(({ folderId }) => folderId),
  );
  const texts = doubts?.flatMap((found, index) => found.map((doubt) => doubtText(asked[index]?.name ?? '', doubt)));
  // A doubt about the status is the same for all folders.
  return texts && uniqBy(texts, ({ title, text }) => title + text);
};
