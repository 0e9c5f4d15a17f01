/** Ranges of local days, by which uploads are selected. */

/** A range of local days in ms since 1970. Both times are local midnights; `beforeMs` is not part of the range. */
export type DayRange = { readonly fromMs: number; readonly beforeMs: number };

const range = (year: number, month: number, day: number, until: readonly [number, number, number]): DayRange => ({
  fromMs: new Date(year, month, day).getTime(),
  beforeMs: new Date(...until).getTime(),
});

/** Returns the calendar month that is `later` months after the month of `now`; -1 is the previous month. */
export const monthOf = (now: Date, later = 0): DayRange => {
  const [year, month] = [now.getFullYear(), now.getMonth() + later];
  return range(year, month, 1, [year, month + 1, 1]);
};

/** Returns the last `days` days, including today. */
export const lastDays = (now: Date, days: number): DayRange => {
  const [year, month, today] = [now.getFullYear(), now.getMonth(), now.getDate()];
  return range(year, month, today + 1 - days, [year, month, today + 1]);
};

/** Returns the first day of the month if the range is exactly one calendar month; otherwise undefined. */
export const wholeMonth = ({ fromMs, beforeMs }: DayRange): Date | undefined => {
  const from = new Date(fromMs);
  const month = monthOf(from);
  return month.fromMs === fromMs && month.beforeMs === beforeMs ? from : undefined;
};
