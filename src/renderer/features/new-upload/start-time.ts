/** When an upload starts, as its form holds it. */
import type { Hours, Period, WantedSchedule } from '../../../contract/hours.ts';
import { fromInputValue, toInputValue } from '../../words/dates.ts';

/** `at`: the value of a field for a date and time, empty until it is filled in. */
export type StartTime =
  | { readonly kind: 'now' }
  | { readonly kind: 'at'; readonly at: string }
  | { readonly kind: 'hours'; readonly hours: readonly [Period, ...Hours] };

/** After office hours. */
const EVENING = '18:00';
const EVENING_HOUR = 18;
const MORNING = '07:00';

/** What each kind begins with. `usual`: the hours of the settings; `nowMs`: the present. */
export const startTimeOf = (kind: StartTime['kind'], usual: Hours | undefined, nowMs: number): StartTime => {
  if (kind === 'now') return { kind };
  if (kind === 'at') {
    const evening = new Date(nowMs);
    evening.setHours(EVENING_HOUR, 0, 0, 0);
    if (evening.getTime() <= nowMs) evening.setDate(evening.getDate() + 1);
    return { kind, at: toInputValue(evening.getTime()) };
  }
  const [first = { from: EVENING, to: MORNING }, ...others] = usual ?? [];
  return { kind, hours: [first, ...others] };
};

/** As it is asked for; undefined while it is not complete. */
export const wantedSchedule = (time: StartTime): WantedSchedule | undefined => {
  if (time.kind === 'now') return { hours: [] };
  if (time.kind === 'hours') return { hours: time.hours };
  const notBeforeMs = fromInputValue(time.at);
  return notBeforeMs === undefined ? undefined : { notBeforeMs, hours: [] };
};
