/** Compares files of rows with their assignments in the background, and finds files that cannot be opened. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { debounce } from 'es-toolkit/function';
import { codeOf, DeskError } from '../../../contract/errors.ts';
import { createSerial } from '../../async/lock.ts';
import type { ComparedFiles } from '../../uploads/engine/plan-batch.ts';
import { fileNameCandidates, fileNameKey } from '../../uploads/source/file-names.ts';
import type { Group, Row } from './rows.ts';

// Finds files that were sent before, and files whose FileName is taken. Only the engine can find them, because it
// compares contents. It is called only for assignments that may have files or that would get two files of the same
// name.

type ComparisonOptions = {
  /** Whether the assignment may have files. */
  readonly hasFiles: (AssignmentId: string) => boolean;
  /** Returns the paths of a row's uploaded files, relative to the row's folder, in the order of the scan. */
  readonly pathsOf: (row: Row) => Iterable<string>;
  /** Returns a number that changes whenever the choice of the uploaded files changes. */
  readonly filesRevision: () => number;
  readonly compare: (group: Group) => Promise<readonly ComparedFiles[]>;
  readonly onFound: () => void;
  readonly onBug: (error: unknown) => void;
};

type Compared = { readonly isPending: boolean; readonly sources: readonly ComparedFiles[] };

const NONE: Compared = { isPending: false, sources: [] };
const PENDING: Compared = { isPending: true, sources: [] };

export const createComparisons = (options: ComparisonOptions) => {
  const { hasFiles, pathsOf, filesRevision, compare, onFound, onBug } = options;
  const known = new Map<string, { readonly key: string; readonly compared: Compared }>();
  const inTurn = createSerial();
  const find = (group: Group, key: string): void => {
    inTurn(async () => {
      const isWanted = (): boolean => known.get(group.AssignmentId)?.key === key;
      if (!isWanted()) return;
      let compared = NONE;
      try {
        compared = { isPending: false, sources: await compare(group) };
      } catch (error) {
        // The start of the upload reports a folder that cannot be read, or an engine that has stopped.
        if (!(error instanceof DeskError)) throw error;
      } finally {
        if (isWanted()) {
          known.set(group.AssignmentId, { key, compared });
          onFound();
        }
      }
    }).catch(onBug);
  };
  const hasTwins = ({ rows, template }: Group): boolean => {
    const names = new Set<string>();
    for (const row of rows) {
      for (const path of pathsOf(row)) {
        const key = fileNameKey(fileNameCandidates(path, template).next().value);
        if (names.has(key)) return true;
        names.add(key);
      }
    }
    return false;
  };
  return {
    /**
     * Returns the result for each row, in the order of the group. Starts a comparison if there is none for these rows.
     */
    of: (group: Group): Compared => {
      const key = `${group.template} ${filesRevision()} ${group.rows.map(({ rowId }) => rowId).join()}`;
      const before = known.get(group.AssignmentId);
      if (before?.key === key) return before.compared;
      const isNeeded = hasFiles(group.AssignmentId) || hasTwins(group);
      known.set(group.AssignmentId, { key, compared: isNeeded ? PENDING : NONE });
      if (isNeeded) find(group, key);
      return isNeeded ? PENDING : NONE;
    },
    forget: (): void => known.clear(),
  };
};

// Checks whether the files of rows can be opened: another program may hold a file, or the user may lack permission. A
// row is checked when it is in view, because each file costs a system call.

type OpenChecksOptions<R> = {
  readonly pathsOf: (row: R) => Iterable<string>;
  readonly onFound: (rowId: number) => void;
  readonly onBug: (error: unknown) => void;
  readonly signal: AbortSignal;
};

/** The maximum number of files checked in a row. A user does not look at more. */
const MOST_FILES = 500;

/** The maximum number of rows that wait to be checked. A user has fewer in view. */
export const MOST_ROWS = 250;

/** How long the view has to be still before rows are checked, so that checks do not slow down scrolling and typing. */
const REST_MS = 300;

export const createOpenChecks = <R extends Pick<Row, 'rowId'>>(options: OpenChecksOptions<R>) => {
  const { pathsOf, onFound, onBug, signal } = options;
  const refused = new Map<number, number>();
  const asked = new Set<number>();
  /** The rows to be checked. Rows that came into view last come first. */
  const waiting: R[] = [];
  const inTurn = createSerial();
  const check = async (row: R): Promise<void> => {
    let count = 0;
    for (const path of Iterator.from(pathsOf(row)).take(MOST_FILES)) {
      if (signal.aborted) return;
      if (!(await canBeOpened(path))) count += 1;
    }
    if (count === 0) return;
    refused.set(row.rowId, count);
    onFound(row.rowId);
  };
  const checkWaiting = async (): Promise<void> => {
    for (let row = waiting.shift(); row && !signal.aborted; row = waiting.shift()) await check(row);
  };
  const begin = debounce(() => inTurn(checkWaiting).catch(onBug), REST_MS, { signal });
  return {
    refusedOf: (rowId: number) => refused.get(rowId) ?? 0,
    /**
     * Checks the unchecked rows in view, one after another, once the view has been still for a moment. If many other
     * rows come into view before a row is checked, the row is checked only when it is in view again.
     */
    look: (rows: readonly R[]): void => {
      const others = rows.filter(({ rowId }) => !asked.has(rowId));
      if (others.length === 0) return;
      for (const { rowId } of others) asked.add(rowId);
      waiting.unshift(...others);
      for (const { rowId } of waiting.splice(MOST_ROWS)) asked.delete(rowId);
      begin();
    },
  };
};

/** The flags for opening. With `O_NONBLOCK`, opening a pipe that has replaced the file does not block. */
const READING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Whether the file can be opened. Also true for a missing file, which the upload reports. */
const canBeOpened = async (path: string): Promise<boolean> => {
  try {
    await (await open(path, READING)).close();
    return true;
  } catch (error) {
    return codeOf(error) === 'ENOENT';
  }
};
