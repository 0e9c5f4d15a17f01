import { Sort } from '../ui/data-table/sort.ts';
import { useRemembered } from './use-remembered.ts';

/** The order of the table `id`, remembered after a restart; undefined until one is chosen. */
export const useSort = (id: string): readonly [Sort | undefined, (sort: Sort | undefined) => void] =>
  useRemembered(`sort.${id}`, Sort);
