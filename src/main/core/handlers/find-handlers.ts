/** The handlers of what is found: searches, files and what can be done with one. */
import { join } from 'node:path';
import type { Handlers } from '../../../contract/calls.ts';
import { DeskError } from '../../../contract/errors.ts';
import {
  type FileAction,
  type FileMenuTarget,
  FileQuery,
  type FoundFile,
  type SentBefore,
} from '../../../contract/files.ts';
import { assignmentName } from '../../../contract/resources.ts';
import { LONGEST_SEARCH } from '../../../contract/search.ts';
import { sheetFormat } from '../../../contract/text.ts';
import { createFormats } from '../../../words/formats.ts';
import { writeCsv } from '../../data/export-csv.ts';
import { userFile } from '../../data/user-file.ts';
import { readPreferences } from '../../settings/preferences.ts';
import type { FilePlace } from '../../uploads/source/locate-file.ts';
import { isDocument } from '../drafts/folder-tree.ts';
import { sourceName } from '../drafts/folders.ts';
import type { ReceiptOrder } from '../receipts/receipts.ts';
import type { HandlerParts } from './handler-parts.ts';

// The calls that find files of all uploads.

/** The most files that are read at once, and listed for each of them. */
const MOST_DROPPED = 20;
/** A name may begin many others. */
const MOST_NAMED = 1000;

type FindHandlers = Pick<Handlers['files'], 'find' | 'sentBefore' | 'cancelSentBefore'>;

/** Finding files, by what people remember of them or by the file itself. */
export const createFindHandlers = ({ cache, connections, fileSearch, sourceOf }: HandlerParts): FindHandlers => {
  const nextDropped = createTurns();

  const find = async ({ complete, ...query }: Parameters<Handlers['files']['find']>[0], signal?: AbortSignal) => {
    const { connectionId } = connections.connected();
    const found = await fileSearch.find(connectionId, query, { complete, ...(signal && { signal }) });
    const titles = new Map<string, string | undefined>();
    const titleOf = (AssignmentId: string): string | undefined => {
      if (!titles.has(AssignmentId)) {
        const known = cache.assignment(connectionId, AssignmentId);
        titles.set(AssignmentId, known && assignmentName(known.assignment));
      }
      return titles.get(AssignmentId);
    };
    const titled = (file: FoundFile): FoundFile => {
      const title = titleOf(file.AssignmentId);
      return title === undefined ? file : { ...file, title };
    };
    return { ...found, files: found.files.map(titled) };
  };
  const all = async (query: Partial<FileQuery>, signal: AbortSignal): Promise<readonly FoundFile[]> =>
    (await find({ ...FileQuery.parse(query), complete: true }, signal)).files;

  const sentFile = async (root: string, name: string, signal: AbortSignal): Promise<SentBefore> => {
    const { sizeBytes, sha256 } = await connections.connected().uploads.contentOf(join(root, name), signal);
    const same = await all({ sha256, limit: MOST_DROPPED }, signal);
    const named = await all({ text: name.slice(0, LONGEST_SEARCH), limit: MOST_NAMED }, signal);
    const alike = named.filter(
      (file) => file.sha256 !== sha256 && (file.FileName === name || file.path.split('/').at(-1) === name),
    );
    return { name, sizeBytes, sha256, same, alike: alike.slice(0, MOST_DROPPED) };
  };

  return {
    find: (query) => find(query),
    sentBefore: async ({ folderIds }) => {
      const signal = nextDropped();
      const answers: SentBefore[] = [];
      for (const source of folderIds.map(sourceOf)) {
        if (source.only === undefined) {
          const name = sourceName(source);
          answers.push({ name, same: [], alike: await all({ text: name, limit: MOST_DROPPED }, signal) });
        }
        for (const name of source.only ?? []) {
          if (answers.length < MOST_DROPPED) answers.push(await sentFile(source.root, name, signal));
        }
      }
      return answers;
    },
    cancelSentBefore: () => void nextDropped(),
  };
};

// The calls of the contract that save a file, or show one in its folder.

const unsupported = (): DeskError => new DeskError('app/unsupported', 'this host has no such dialog');

/** Errors: `app/unsupported` if the host has no such dialog; `data/unwritable` if a file cannot be saved; those of `userFile`. */
export const createFileHandlers = ({
  host,
  settings,
  connections,
  receipts,
  doctor,
}: Pick<HandlerParts, 'host' | 'settings' | 'connections' | 'receipts' | 'doctor'>) => {
  const save = async (
    name: string,
    extensions: readonly [string, ...string[]],
    write: (path: string) => Promise<void>,
  ) => {
    if (!host.pickSavePath) throw unsupported();
    const path = await host.pickSavePath(`${name}.${extensions[0]}`, extensions);
    if (path === undefined) return undefined;
    // Where a host hands files over, their paths are its own.
    await write(host.handOver ? path : await userFile(path, host.home));
    return { path: (await host.handOver?.(path)) ?? path };
  };
  const show = (path: string): void => {
    if (!host.showInFolder) throw unsupported();
    host.showInFolder(path);
  };

  return {
    openLogs: () => show(join(host.home, 'logs', 'inspection-desk.log')),
    exportCsv: ({ name, ...table }: Parameters<typeof writeCsv>[1] & { readonly name: string }) => {
      const { number } = createFormats({ ...readPreferences(settings), systemLocale: host.locale });
      return save(safeName(name), ['csv'], (path) => writeCsv(path, table, sheetFormat(number)));
    },
    saveDoctorBundle: () => save('inspection-desk-doctor', ['zip'], doctor.saveBundle),
    saveReceipts: ({ beside, ...order }: ReceiptOrder & { readonly beside: boolean }) =>
      beside ? receipts.saveBeside(order) : receipts.saveAsked(order),
    showReceipts: (savedId: string) => show(receipts.pathOf(savedId)),
    openReceipts: async (savedId: string) => {
      if (!host.openFile) throw unsupported();
      await host.openFile(receipts.pathOf(savedId));
    },
    reveal: async (batch: string) => show((await connections.connected().uploads.get(batch)).root),
  };
};

/** A name that is valid on every file system. */
const safeName = (name: string): string => name.replaceAll(/[\p{Cc}<>:"/\\|?*]/gu, ' ').trim() || 'export';

// The menu of a file or folder on this computer.

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

/** One at a time: each turn aborts the one before it. */
export const createTurns = (): (() => AbortSignal) => {
  let turn = new AbortController();
  return () => {
    turn.abort(new DeskError('app/cancelled', 'another one has begun'));
    turn = new AbortController();
    return turn.signal;
  };
};

/** Turns of several names, each one at a time. A name is forgotten once `work` has ended. */
export const createNamedTurns = () => {
  const current = new Map<string, AbortController>();
  return async <T>(name: string | undefined, work: (signal?: AbortSignal) => Promise<T>): Promise<T> => {
    if (name === undefined) return work();
    current.get(name)?.abort(new DeskError('app/cancelled', 'another one has begun'));
    const turn = new AbortController();
    current.set(name, turn);
    try {
      return await work(turn.signal);
    } finally {
      if (current.get(name) === turn) current.delete(name);
    }
  };
};
