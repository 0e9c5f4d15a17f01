/** Compares the contents of the files of a folder with the files that were sent. Reads as few files as possible. */
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { maxBy } from 'es-toolkit/array/maxBy';
import { minBy } from 'es-toolkit/array/minBy';
import { DeskError } from '../../../contract/errors.ts';
import type { SentFolder } from '../../../contract/files.ts';
import type { FileSearch } from '../../uploads/find/start-search.ts';
import { type ScannedFile, type Source, scanFolder } from '../../uploads/source/scan.ts';
import type { ConnectionServices } from '../connection/connections.ts';

type Sent = Awaited<ReturnType<FileSearch['sent']>>[number];

type Comparison = {
  readonly sent: (sizes: readonly number[]) => Promise<readonly Sent[]>;
  readonly contentOf: (path: string) => Promise<{ readonly sha256: string }>;
  readonly titled: ConnectionServices['titled'];
};

const MOST_LISTED = 1_000;
const MOST_ASSIGNMENTS = 20;

/** How long the comparison works before it lets the event loop run. */
const TURN_MS = 8;

/**
 * Compares the files of `source` with the files that were sent. A file is not read if no file of its size was sent, if
 * it is in the cloud, or if it is unchanged since it was sent. Errors: those of `scanFolder` and `sent`, the reason of
 * `signal`, and those of `contentOf` except `upload/…`.
 */
export const compareFolder = async (
  source: Source,
  { sent, contentOf, titled }: Comparison,
  signal: AbortSignal,
): Promise<SentFolder> => {
  let turnMs = performance.now();
  const takeTurns = async (): Promise<void> => {
    signal.throwIfAborted();
    if (performance.now() - turnMs < TURN_MS) return;
    await setImmediate();
    turnMs = performance.now();
  };

  const files: ScannedFile[] = [];
  for await (const some of scanFolder(source, signal).files) files.push(...some);
  const bySize = new Map<number, SentOfSize>();
  for (const one of await sent([...new Set(files.map(({ sizeBytes }) => sizeBytes))])) {
    await takeTurns();
    const ofSize = bySize.get(one.sizeBytes) ?? { byIdentity: new Map(), byContent: new Map() };
    bySize.set(one.sizeBytes, ofSize);
    add(ofSize, one);
  }

  const found: Sent[] = [];
  const neverSent: string[] = [];
  let unread = 0;
  for (const file of files) {
    await takeTurns();
    const ofSize = bySize.get(file.sizeBytes);
    const sha256 = ofSize && (await hashOf(file, ofSize, source.root, contentOf));
    const match = sha256 && ofSize?.byContent.get(sha256);
    if (match) found.push(match);
    else if (ofSize && sha256 === undefined) unread += 1;
    else neverSent.push(file.path);
  }

  const [first, last] = [minBy(found, ({ atMs }) => atMs), maxBy(found, ({ atMs }) => atMs)];
  const byAssignment = [...Map.groupBy(found, ({ AssignmentId }) => AssignmentId)];
  return {
    files: files.length,
    sent: found.length,
    unread,
    removed: found.filter(({ isThere }) => !isThere).length,
    ...(first && last && { fromMs: first.atMs, toMs: last.atMs }),
    neverSent: neverSent.slice(0, MOST_LISTED),
    assignments: titled(
      byAssignment
        .map(([AssignmentId, { length }]) => ({ AssignmentId, files: length }))
        .toSorted((a, b) => b.files - a.files)
        .slice(0, MOST_ASSIGNMENTS),
    ),
  };
};

/** The sent files of one size. `byContent`: the best match for each hash. */
type SentOfSize = { readonly byIdentity: Map<string, Sent>; readonly byContent: Map<string, Sent> };

const add = ({ byIdentity, byContent }: SentOfSize, one: Sent): void => {
  const identity = one.identity && keyOf(one.identity);
  if (identity !== undefined && !byIdentity.has(identity)) byIdentity.set(identity, one);
  const other = byContent.get(one.sha256);
  if (other === undefined || isBetter(one, other)) byContent.set(one.sha256, one);
};

/**
 * Whether a sent file is a better match than another with the same content. A file that is still on its assignment is
 * better than one that is not; otherwise the earlier one is better.
 */
const isBetter = (one: Sent, other: Sent): boolean =>
  one.isThere === other.isThere ? one.atMs < other.atMs : one.isThere;

const keyOf = ({ id, changedMs }: NonNullable<Sent['identity']>): string => `${id} ${changedMs}`;

/**
 * Resolves to the hash of the file; undefined if the file cannot be read, or would have to be read from the cloud. A
 * file that is unchanged since it was sent is not read.
 */
const hashOf = async (
  { path, identity, inCloud }: ScannedFile,
  { byIdentity }: SentOfSize,
  root: string,
  contentOf: Comparison['contentOf'],
): Promise<string | undefined> => {
  const itself = identity && byIdentity.get(keyOf(identity));
  if (itself) return itself.sha256;
  if (inCloud) return undefined;
  return contentOf(join(root, path)).then(
    ({ sha256 }) => sha256,
    (error: unknown) => {
      if (error instanceof DeskError && error.code.startsWith('upload/')) return undefined;
      throw error;
    },
  );
};
