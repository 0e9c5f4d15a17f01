/** Ranges of local days, by which users select uploads. */

/** From the local midnight `fromMs` up to, but not including, the local midnight `beforeMs`; in ms since 1970. */
export type DayRange = { readonly fromMs: number; readonly beforeMs: number };

const range = (year: number, month: number, day: number, until: readonly [number, number, number]): DayRange => ({
  fromMs: new Date(year, month, day).getTime(),
  beforeMs: new Date(...until).getTime(),
});

/** The whole calendar month that is `later` months after the month of `now`: -1 is the previous month. */
export const monthOf = (now: Date, later = 0): DayRange => {
  const [year, month] = [now.getFullYear(), now.getMonth() + later];
  return range(year, month, 1, [year, month + 1, 1]);
};

/** The last `days` days, including today. */
export const lastDays = (now: Date, days: number): DayRange => {
  const [year, month, today] = [now.getFullYear(), now.getMonth(), now.getDate()];
  return range(year, month, today + 1 - days, [year, month, today + 1]);
};

/** The first day of the month if the range is exactly one calendar month; otherwise undefined. */
export const wholeMonth = ({ fromMs, beforeMs }: DayRange): Date | undefined => {
  const from = new Date(fromMs);
  const month = monthOf(from);
  return month.fromMs === fromMs && month.beforeMs === beforeMs ? from : undefined;
};
