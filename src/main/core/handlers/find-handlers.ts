/** The calls that find files of all uploads. */
import { join } from 'node:path';
import type { Handlers } from '../../../contract/calls.ts';
import { FileQuery, type FoundFile, type SentBefore } from '../../../contract/files.ts';
import { assignmentName } from '../../../contract/resources.ts';
import { LONGEST_SEARCH } from '../../../contract/search.ts';
import { sourceName } from '../drafts/folders.ts';
import type { HandlerParts } from './handler-parts.ts';
import { createTurns } from './turns.ts';

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
