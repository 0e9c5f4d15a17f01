/** The filters of the search for files. */
import type { FileQuery } from '../../../contract/files.ts';
import type { ListedState } from '../../../contract/uploads.ts';

/** Such as people tell them apart; each is named by its first state. */
export const stateFilters = {
  done: ['done'],
  skipped: ['skipped'],
  queued: ['queued', 'signing', 'sending'],
  failed: ['failed', 'uncertain'],
  cancelled: ['cancelled'],
  removed: ['removed'],
} as const satisfies Readonly<Partial<Record<ListedState, readonly ListedState[]>>>;

type StateFilter = keyof typeof stateFilters;

export const isStateFilter = (value: string | undefined): value is StateFilter =>
  value !== undefined && Object.hasOwn(stateFilters, value);

type FileFilter = {
  readonly text: string;
  readonly state: StateFilter | undefined;
  /** Days as date inputs hold them; empty without a limit. */
  readonly fromDay: string;
  readonly toDay: string;
  readonly AssignmentId: string | undefined;
};

/** The start of a local day, or of the day after it. */
const dayStart = (day: string, later = 0): number | undefined => {
  if (day === '') return undefined;
  const [year = Number.NaN, month = 1, date = 1] = day.split('-').map(Number);
  const start = new Date(year, month - 1, date + later).getTime();
  return Number.isNaN(start) ? undefined : start;
};

/** What main is asked for. */
export const toQuery = ({ text, state, fromDay, toDay, AssignmentId }: FileFilter): Partial<FileQuery> => {
  const fromMs = dayStart(fromDay);
  const beforeMs = dayStart(toDay, 1);
  return {
    text,
    ...(state && { states: stateFilters[state] }),
    ...(fromMs !== undefined && { fromMs }),
    ...(beforeMs !== undefined && { beforeMs }),
    ...(AssignmentId !== undefined && { AssignmentId }),
  };
};

/** Whether it asks for less than every file. */
export const isFiltered = (filter: FileFilter): boolean =>
  Object.values(filter).some((value) => value !== '' && value !== undefined);
