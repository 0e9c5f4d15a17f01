/**
 * The wait a `Retry-After` header asks for, in ms from `nowMs`: whole seconds or an HTTP date (RFC 9110, 10.2.3).
 * Nothing where it is absent or unreadable; never negative.
 */
export const retryAfterMs = (header: string | undefined, nowMs: number): number | undefined => {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  // Every form of an HTTP date names its weekday first; Date.parse alone would also take "1.5" for a month.
  const dateMs = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs);
};
