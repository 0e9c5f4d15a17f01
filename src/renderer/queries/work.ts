/** Queries of the work list and of the table of assignments. */
import type { AssignmentColumn, AssignmentFilter, WorkDays, WorkList } from '../../contract/assignments.ts';
import { useNow } from '../ui/hooks.ts';
import { workDaysAround } from '../words/dates.ts';
import { useMemoInWords } from '../words/formats.ts';
import { type Answer, useAnswerQuery, useCalls, useWindowQuery } from './query.tsx';

/** Absent parts do not narrow. */
export type WorkFilter = Partial<AssignmentFilter>;

/** What the table of assignments begins with: documents are expected for open ones only. */
export const usualFilter: WorkFilter = { open: true };

const minuteMs = 60_000;

/** Today and its weeks: the same object all day. */
export const useWorkDays = (): WorkDays => {
  const day = new Date(useNow(minuteMs)).toDateString();
  return useMemoInWords(() => workDaysAround(new Date(day).getTime()), [day]);
};

type Order = { readonly sort?: AssignmentColumn; readonly descending?: boolean };

/** The assignments that match, in an order of `order`. */
export const useAssignmentTable = (filter: WorkFilter, order: Order) => {
  const days = useWorkDays();
  return useWindowQuery('Items', ({ assignments }, window) =>
    assignments.table({ ...filter, ...order, days, ...window }),
  );
};

/** How many assignments that match are in each group, and begin on each of the days between `dayStarts`. */
export const useWorkList = (filter: Omit<WorkFilter, 'group'>, dayStarts: readonly number[]): Answer<WorkList> => {
  const days = useWorkDays();
  return useAnswerQuery(useCalls().assignments.workList({ ...filter, days, dayStarts }));
};
