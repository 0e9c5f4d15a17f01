/**
 * Whether the files of rows can be opened: another program may hold them, or the person may not read them. A row is checked
 * when it is looked at, because each file costs a call to the file system.
 */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { createSerial } from '../../async/serial.ts';
import type { Row } from './rows.ts';

type OpenChecks = {
  /** How many files of the row could not be opened, as far as it was checked. */
  readonly refusedOf: (rowId: number) => number;
  /** Checks those that were not checked yet, one after another. */
  readonly look: (rows: readonly Row[]) => void;
};

type OpenChecksOptions = {
  /** The files of the row on the disk. */
  readonly pathsOf: (row: Row) => Iterable<string>;
  /** A row has files that could not be opened. */
  readonly onFound: (rowId: number) => void;
  readonly onBug: (error: unknown) => void;
  readonly signal: AbortSignal;
};

/** More files than a person looks at in one row. */
const MOST_FILES = 500;

/** Nothing is checked. */
export const createOpenChecks = ({ pathsOf, onFound, onBug, signal }: OpenChecksOptions): OpenChecks => {
  const refused = new Map<number, number>();
  const asked = new Set<number>();
  const inTurn = createSerial();
  const check = async (row: Row): Promise<void> => {
    let count = 0;
    for (const path of Iterator.from(pathsOf(row)).take(MOST_FILES)) {
      if (signal.aborted) return;
      if (!(await canBeOpened(path))) count += 1;
    }
    if (count === 0) return;
    refused.set(row.rowId, count);
    onFound(row.rowId);
  };
  return {
    refusedOf: (rowId) => refused.get(rowId) ?? 0,
    look: (rows) => {
      for (const row of rows) {
        if (asked.has(row.rowId)) continue;
        asked.add(row.rowId);
        inTurn(() => check(row)).catch(onBug);
      }
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
    return error instanceof Error && 'code' in error && error.code === 'ENOENT';
  }
};
