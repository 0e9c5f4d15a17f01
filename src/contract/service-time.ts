/** The service's times (InspectionDate, StartTime, PlanAfter): numbers whose unit its interface does not give. */
import { z } from 'zod';

/** The unit they are read in; `auto`: told by their size. */
export const TimeBase = z.enum(['auto', 'seconds', 'milliseconds']);
export type TimeBase = z.infer<typeof TimeBase>;
export type TimeUnit = Exclude<TimeBase, 'auto'>;

/** `auto` reads numbers below this as seconds since 1970: they reach it in the year 5138, milliseconds did in 1973. */
export const secondsBelow = 1e11;

/** The unit of `raw`. */
export const timeUnitOf = (raw: number, base: TimeBase): TimeUnit => {
  if (base !== 'auto') return base;
  return raw < secondsBelow ? 'seconds' : 'milliseconds';
};

/** `raw` in milliseconds since 1970. */
export const serviceTimeMs = (raw: number, base: TimeBase): number =>
  timeUnitOf(raw, base) === 'seconds' ? raw * 1000 : raw;
