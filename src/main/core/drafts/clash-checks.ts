/**
 * How many files of each row have a FileName that is taken. The engine knows, because it compares contents; it is asked only
 * about assignments that may have clashes: those that have files, or get two of one name.
 */
import type { NameTemplate } from '../../../contract/uploads.ts';
import { createSerial } from '../../async/serial.ts';
import { fileNameCandidates, fileNameKey } from '../../uploads/source/file-names.ts';
import { filesOfRow, type Row } from './rows.ts';

/** Rows that go to the same assignment, in the order in which they are planned. */
export type ClashGroup = {
  readonly AssignmentId: string;
  readonly rows: readonly Row[];
  readonly template: NameTemplate;
};

type ClashChecks = {
  /** The clashes of each row, in the order of the group, as far as they are known; a check begins where they are not. */
  readonly totalsOf: (group: ClashGroup) => readonly number[];
};

type ClashOptions = {
  /** Whether the assignment may have files. */
  readonly hasFiles: (AssignmentId: string) => boolean;
  readonly check: (group: ClashGroup) => Promise<readonly number[]>;
  readonly onFound: () => void;
  readonly onBug: (error: unknown) => void;
};

const NONE: readonly number[] = [];

/** Nothing is known. */
export const createClashChecks = ({ hasFiles, check, onFound, onBug }: ClashOptions): ClashChecks => {
  const known = new Map<string, { readonly key: string; readonly totals: readonly number[] }>();
  const inTurn = createSerial();
  const find = (group: ClashGroup, key: string): void => {
    inTurn(async () => {
      const isWanted = (): boolean => known.get(group.AssignmentId)?.key === key;
      if (!isWanted()) return;
      const totals = await check(group);
      if (!isWanted()) return;
      known.set(group.AssignmentId, { key, totals });
      if (totals.some((total) => total > 0)) onFound();
    }).catch(onBug);
  };
  return {
    totalsOf: (group) => {
      const key = `${group.template} ${group.rows.map(({ rowId }) => rowId).join()}`;
      const before = known.get(group.AssignmentId);
      if (before?.key === key) return before.totals;
      known.set(group.AssignmentId, { key, totals: NONE });
      if (hasFiles(group.AssignmentId) || hasTwins(group)) find(group, key);
      return NONE;
    },
  };
};

/** Whether two files would have the same FileName. */
const hasTwins = ({ rows, template }: ClashGroup): boolean => {
  const names = new Set<string>();
  for (const row of rows) {
    for (const { path } of filesOfRow(row)) {
      const key = fileNameKey(fileNameCandidates(path, template).next().value);
      if (names.has(key)) return true;
      names.add(key);
    }
  }
  return false;
};
