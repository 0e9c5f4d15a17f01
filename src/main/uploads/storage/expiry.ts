/** A signed Url whose time is over, as its own query says: a large file need not be sent to find that out. */
import { dialectOf } from './dialect-of.ts';

/**
 * Whether the time of `url` is over by this computer's clock. Only a Url that was kept for a while is worth the
 * question: should the clock be wrong, a new signature costs little, and that one is used without asking.
 */
export const isOver = (url: string, nowMs: number): boolean => {
  const endMs = URL.canParse(url) ? dialectOf(new URL(url)).expiresAtMs : undefined;
  return endMs !== undefined && endMs <= nowMs;
};
