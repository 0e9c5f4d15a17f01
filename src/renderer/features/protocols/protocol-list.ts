/**
 * The protocol list as pure steps. The service gives it in pages and does not say where it counts from: the first
 * request names no page, and the `CurrentPage` of each answer is what the next one counts on from.
 */
import type { ErrorData } from '../../../contract/errors.ts';
import type { Reading } from '../../../contract/models.ts';
import type { ProtocolPage, ProtocolSummary } from '../../../contract/resources.ts';

export type ProtocolList = {
  /** The number of the newest request; answers to older ones are dropped. */
  readonly request: number;
  /** What is under way: a new list, or one more page of this one. */
  readonly busy: 'list' | 'page' | undefined;
  readonly error: ErrorData | undefined;
  /** Undefined until the first answer, and after a failure to read a new list. */
  readonly loaded: Loaded | undefined;
};

export type Loaded = Omit<Reading<readonly ProtocolSummary[]>, 'value'> & {
  /** The request that began this list. */
  readonly since: number;
  readonly rows: readonly ProtocolSummary[];
  readonly total: number;
  /** The page to ask for next; undefined when this was the last. */
  readonly nextPage: number | undefined;
};

export type Step =
  | { readonly type: 'asked'; readonly request: number; readonly for: 'list' | 'page' }
  /** What is kept of a list whose answer is on its way. */
  | { readonly type: 'kept'; readonly request: number; readonly reading: Reading<ProtocolPage> }
  | { readonly type: 'answered'; readonly request: number; readonly reading: Reading<ProtocolPage> }
  | { readonly type: 'failed'; readonly request: number; readonly error: ErrorData };

export const emptyList: ProtocolList = { request: 0, busy: 'list', error: undefined, loaded: undefined };

const merge = (before: Loaded | undefined, request: number, reading: Reading<ProtocolPage>): Loaded => {
  const { value, unreadable, source, fetchedAt } = reading;
  const known = new Set(before?.rows.map((row) => row.InspectionProtocolId));
  // A protocol that moved to a later page while one scrolls would come twice.
  const rows = [...(before?.rows ?? []), ...value.Items.filter((row) => !known.has(row.InspectionProtocolId))];
  const unread = (before?.unreadable ?? 0) + unreadable;
  const isLast = value.Items.length + unreadable === 0 || rows.length + unread >= value.TotalCount;
  return {
    since: before?.since ?? request,
    rows,
    unreadable: unread,
    total: value.TotalCount,
    nextPage: isLast ? undefined : value.CurrentPage + 1,
    source: before?.source === 'cache' ? 'cache' : source,
    fetchedAt: Math.min(before?.fetchedAt ?? fetchedAt, fetchedAt),
  };
};

/** The list after `step`. Until a new list has come, the one before stays. */
export const afterStep = (list: ProtocolList, step: Step): ProtocolList => {
  if (step.type === 'asked') return { ...list, request: step.request, busy: step.for, error: undefined };
  if (step.request !== list.request) return list;
  if (step.type === 'kept') {
    if (list.busy !== 'list') return list;
    return { ...list, loaded: { ...merge(undefined, step.request, step.reading), nextPage: undefined } };
  }
  const isPage = list.busy === 'page';
  if (step.type === 'failed') {
    return { ...list, busy: undefined, error: step.error, loaded: isPage ? list.loaded : undefined };
  }
  const loaded = merge(isPage ? list.loaded : undefined, step.request, step.reading);
  return { ...list, busy: undefined, error: undefined, loaded };
};
