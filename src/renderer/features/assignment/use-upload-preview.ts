import { useEffect, useState } from 'react';
import { type ErrorData, toErrorData } from '../../../contract/errors.ts';
import type { NameTemplate } from '../../../contract/names.ts';
import type { Folder, UploadPreview } from '../../../contract/upload-preview.ts';
import { useDesk } from '../../state/context.tsx';

/** Neither of them while folders are being read. */
export type PreviewState = { readonly preview?: UploadPreview; readonly error?: ErrorData };

/** What an upload of `folders` to the assignment `id` would send. A reading that nobody waits for any more is broken off. */
export const useUploadPreview = (id: string, folders: readonly Folder[], nameTemplate: NameTemplate): PreviewState => {
  const { uploads } = useDesk();
  const [state, setState] = useState<PreviewState>({});
  useEffect(() => {
    let wanted = true;
    const read = async (): Promise<void> => {
      const folderIds = folders.map(({ folderId }) => folderId);
      const preview = await uploads.preview({ folderIds, AssignmentId: id, nameTemplate });
      if (wanted) setState({ preview });
    };
    setState({});
    read().catch((error: unknown) => wanted && setState({ error: toErrorData(error) }));
    return () => {
      wanted = false;
      void uploads.cancelPreview();
    };
  }, [uploads, id, folders, nameTemplate]);
  return state;
};
