/** The menu of a file or folder on this computer. */
import type { Handlers } from '../../../contract/calls.ts';
import { DeskError } from '../../../contract/errors.ts';
import type { FileAction, FileMenuTarget } from '../../../contract/files.ts';
import type { FilePlace } from '../../uploads/source/locate-file.ts';
import { isDocument } from '../drafts/file-kinds.ts';
import type { HandlerParts } from './handler-parts.ts';

/** The window names what it means by its id; paths stay here. A file or folder is looked for once an action was chosen. */
export const createFileMenu = ({
  host: { chooseFileAction, openFile, showInFolder },
  connections: { connected },
  drafts,
}: Pick<HandlerParts, 'host' | 'connections' | 'drafts'>): Handlers['files']['menu'] => {
  const placeOf = async (of: FileMenuTarget): Promise<FilePlace> => {
    if ('batchId' in of) return connected().uploads.placeOf(of.batchId, of.fileId);
    const root = 'rowId' in of ? await drafts.ask('folderOf', of) : watchedPath(of.watchedId);
    if (root === undefined) throw new DeskError('input/invalid', 'there is no such folder');
    return { root };
  };
  const watchedPath = (id: number): string => {
    const folder = connected()
      .watchedFolders.list()
      .find(({ watchedId }) => watchedId === id);
    if (folder) return folder.path;
    throw new DeskError('watch/unknown', 'there is no such watched folder', { details: { watchedId: id } });
  };
  return async ({ of, at }) => {
    if (!chooseFileAction || !openFile || !showInFolder)
      throw new DeskError('app/unsupported', 'this host has no menus for files');
    const place = await placeOf(of);
    const canOpen = place.path !== undefined && isDocument(place.path);
    const actions: readonly FileAction[] = canOpen ? ['open', 'showInFolder'] : ['showInFolder'];
    const action = await chooseFileAction(actions, at);
    if (action === undefined) return;
    const path = await connected().uploads.locate(place);
    if (action === 'open' && canOpen) await openFile(path);
    else showInFolder(path);
  };
};
