/** The filters of the table of protocols. */
import type { ProtocolTableQuery } from '../../../contract/protocols.ts';
import { LONGEST_SEARCH } from '../../../contract/search.ts';
import { dayStart } from '../../words/dates.ts';

/** The columns that can be filtered by words. */
export const filterColumns = ['Address', 'City', 'ZipCode', 'FacilityId'] as const;
type FilterColumn = (typeof filterColumns)[number];

/** Days as in the value of a date input, such as "2026-03-05"; empty for no bound. */
export type ProtocolFilter = Readonly<Record<FilterColumn, string>> & {
  readonly fromDay: string;
  readonly toDay: string;
  readonly availableOffline: boolean;
};

export const noFilter: ProtocolFilter = {
  Address: '',
  City: '',
  ZipCode: '',
  FacilityId: '',
  fromDay: '',
  toDay: '',
  availableOffline: false,
};

/** How many filters are active. */
export const countFilters = (filter: ProtocolFilter): number =>
  filterColumns.filter((column) => filter[column].trim() !== '').length +
  Number(filter.fromDay !== '' || filter.toDay !== '') +
  Number(filter.availableOffline);

type Narrowing = Partial<Pick<ProtocolTableQuery, 'text' | 'filters' | 'fromMs' | 'beforeMs' | 'availableOffline'>>;

/** The query of the offline data. */
export const narrowing = (text: string, filter: ProtocolFilter): Narrowing => {
  const fromMs = dayStart(filter.fromDay);
  const beforeMs = dayStart(filter.toDay, 1);
  return {
    text,
    filters: Object.fromEntries(filterColumns.map((column) => [column, filter[column].slice(0, LONGEST_SEARCH)])),
    ...(fromMs !== undefined && { fromMs }),
    ...(beforeMs !== undefined && { beforeMs }),
    availableOffline: filter.availableOffline,
  };
};
