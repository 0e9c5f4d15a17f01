/**
 * How long packets wait in the line's buffers, by the durations of small requests: what a request takes longer than the
 * fastest of the last minutes. RFC 6817 measures one way only, which needs the other end; here the way back counts, too.
 */

export type LineDelay = {
  /** A small request was answered. `source`: requests whose durations are comparable, those to the same host. */
  readonly answered: (source: string, ms: number) => void;
  /** By requests to `host`, if they were answered recently; undefined: not known. */
  readonly queueMs: (host: string) => number | undefined;
  /** By the last request to `host` alone, whatever others show. */
  readonly latestMs: (host: string) => number | undefined;
  /** The moment of the last answer, of any host or of one; -Infinity: none yet. */
  readonly lastMs: (source?: string) => number;
  /** Forgets everything: the way to the hosts is another one. */
  readonly forget: () => void;
};

/** The fastest of so many requests counts, as others may have waited for something else than the line. */
const FILTER = 4;
const FILTER_MS = 400;
/** Where requests are rare, the last one counts for so long. */
const RECENT_MS = 1_500;

/** The base delay is the least of the last ten minutes, one minute after another. */
const MINUTE_MS = 60_000;
const MINUTES = 10;

type Durations = {
  readonly recent: readonly { readonly atMs: number; readonly ms: number }[];
  /** The least of each minute, the present one last. */
  readonly minima: readonly { readonly minute: number; readonly ms: number }[];
};

const least = (durations: readonly { readonly ms: number }[]): number => Math.min(...durations.map(({ ms }) => ms));

/** None, or the least delay since then. */
const delayOf = (durations: Durations | undefined, sinceMs: number): readonly number[] => {
  const fresh = durations?.recent.filter(({ atMs }) => atMs >= sinceMs) ?? [];
  return durations && fresh.length > 0 ? [least(fresh) - least(durations.minima)] : [];
};

/** `now`: ms, from any moment on. A delay that other hosts do not show at that moment is the host's own. */
export const createLineDelay = (now: () => number): LineDelay => {
  const sources = new Map<string, Durations>();
  let lastMs = Number.NEGATIVE_INFINITY;

  return {
    answered: (source, ms) => {
      lastMs = now();
      const minute = Math.floor(lastMs / MINUTE_MS);
      const { recent, minima } = sources.get(source) ?? { recent: [], minima: [] };
      const present = minima.filter((one) => one.minute === minute);
      const earlier = minima.filter((one) => one.minute !== minute && one.minute > minute - MINUTES);
      sources.set(source, {
        recent: [...recent, { atMs: lastMs, ms }].slice(-FILTER),
        minima: [...earlier, { minute, ms: Math.min(ms, least(present)) }],
      });
    },
    queueMs: (host) => {
      const nowMs = now();
      const atMs = sources.get(host)?.recent.at(-1)?.atMs;
      if (atMs === undefined || nowMs - atMs > RECENT_MS) return undefined;
      const one = delayOf(sources.get(host), Math.min(atMs, nowMs - FILTER_MS));
      return Math.min(...one, ...[...sources.values()].flatMap((other) => delayOf(other, nowMs - FILTER_MS)));
    },
    latestMs: (host) => {
      const durations = sources.get(host);
      const last = durations?.recent.at(-1);
      return durations && last && last.ms - least(durations.minima);
    },
    lastMs: (source) =>
      source === undefined ? lastMs : (sources.get(source)?.recent.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY),
    forget: () => {
      sources.clear();
      lastMs = Number.NEGATIVE_INFINITY;
    },
  };
};
