/** The longest pause that a host gets, however long it asks for. */
export const LONGEST_HOLD_MS = 15 * 60_000;

/**
 * The wait a `Retry-After` header asks for, in ms from `nowMs`: whole seconds or an HTTP date (RFC 9110, 10.2.3); the
 * longest of several. Undefined if none is valid; never negative, never above `LONGEST_HOLD_MS`.
 */
export const retryAfterMs = (header: string | readonly string[] | undefined, nowMs: number): number | undefined => {
  const waits = [header ?? []].flat().flatMap((text) => waitMs(text.trim(), nowMs) ?? []);
  return waits.length === 0 ? undefined : Math.min(LONGEST_HOLD_MS, Math.max(0, ...waits));
};

const waitMs = (text: string, nowMs: number): number | undefined => {
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  // Every HTTP date begins with its weekday. Date.parse alone would also accept "1.5" as a month.
  const dateMs = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(dateMs) ? undefined : dateMs - nowMs;
};
