import { useEffect, useState } from 'react';
import type { Folder, UploadDoubt } from '../../../contract/upload-preview.ts';
import { statusName } from '../../domain/assignments/status-badge.tsx';
import { useDesk } from '../../state/context.tsx';
import { t } from '../../words/words.ts';

export type DoubtText = { readonly title: string; readonly text: string };

/** Each asks a few questions of the offline data; nobody reads what is said of more folders. */
const mostAsked = 50;

const doubtText = (folder: string, doubt: UploadDoubt): DoubtText =>
  doubt.kind === 'status'
    ? {
        title: t('assignment.upload.doubt.status', { status: statusName(doubt.AssignmentStatus).toLowerCase() }),
        text: t('assignment.upload.doubt.statusTodo'),
      }
    : {
        title: t('assignment.upload.doubt.other', { folder }),
        text: t('assignment.upload.doubt.otherTodo', { found: doubt.found, name: doubt.name }),
      };

/**
 * What speaks against an upload of `folders` to the assignment `id`, in words; undefined until that is known. A question
 * that cannot be answered holds up no upload.
 */
export const useUploadDoubts = (id: string, folders: readonly Folder[]): readonly DoubtText[] | undefined => {
  const { uploads } = useDesk();
  const [texts, setTexts] = useState<readonly DoubtText[]>();
  useEffect(() => {
    let wanted = true;
    const ask = async ({ folderId, name }: Folder): Promise<readonly DoubtText[]> => {
      const doubts = await uploads.doubts({ folderId, AssignmentId: id }).catch(() => []);
      return doubts.map((doubt) => doubtText(name, doubt));
    };
    setTexts(undefined);
    void Promise.all(folders.slice(0, mostAsked).map(ask)).then((found) => {
      // The status is the same for all folders: it is said once.
      const byText = new Map(found.flat().map((doubt) => [doubt.title + doubt.text, doubt]));
      if (wanted) setTexts([...byText.values()]);
    });
    return () => {
      wanted = false;
    };
  }, [uploads, id, folders]);
  return texts;
};
