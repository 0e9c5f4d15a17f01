/**
 * Whether the files of rows can be opened: another program may hold them, or the person may not read them. A row is checked
 * when it is looked at, because each file costs a call to the file system.
 */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { debounce } from 'es-toolkit/function';
import { codeOf } from '../../async/error-code.ts';
import { createSerial } from '../../async/serial.ts';
import type { Row } from './rows.ts';

type OpenChecks<R> = {
  /** How many files of the row could not be opened, as far as it was checked. */
  readonly refusedOf: (rowId: number) => number;
  /**
   * Checks those that were not checked yet, one after another, once nothing new has been looked at for a moment. Rows that
   * many others were looked at after are checked only when they are looked at again.
   */
  readonly look: (rows: readonly R[]) => void;
};

type OpenChecksOptions<R> = {
  /** The files of the row on the disk. */
  readonly pathsOf: (row: R) => Iterable<string>;
  /** A row has files that could not be opened. */
  readonly onFound: (rowId: number) => void;
  readonly onBug: (error: unknown) => void;
  readonly signal: AbortSignal;
};

/** More files than a person looks at in one row. */
const MOST_FILES = 500;

/** More rows than a person has in view. */
export const MOST_ROWS = 250;

/** While somebody scrolls or types, the disk and the processor are for that. */
const REST_MS = 300;

/** Nothing is checked. */
export const createOpenChecks = <R extends Pick<Row, 'rowId'>>(options: OpenChecksOptions<R>): OpenChecks<R> => {
  const { pathsOf, onFound, onBug, signal } = options;
  const refused = new Map<number, number>();
  const asked = new Set<number>();
  /** The rows that were looked at last come first. */
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
    refusedOf: (rowId) => refused.get(rowId) ?? 0,
    look: (rows) => {
      const others = rows.filter(({ rowId }) => !asked.has(rowId));
      if (others.length === 0) return;
      for (const { rowId } of others) asked.add(rowId);
      waiting.unshift(...others);
      for (const { rowId } of waiting.splice(MOST_ROWS)) asked.delete(rowId);
      begin();
    },
  };
};

/** A pipe that has taken the place of the file does not block; Windows has no such flag. */
const READING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** A file that is gone is none that cannot be read: the start says so. */
const canBeOpened = async (path: string): Promise<boolean> => {
  try {
    await (await open(path, READING)).close();
    return true;
  } catch (error) {
    return codeOf(error) === 'ENOENT';
  }
};
