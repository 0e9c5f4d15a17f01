/**
 * How long packets wait in the line's buffers (the queue): the time by which small requests take longer than the fastest of
 * the last ten minutes. RFC 6817 measures only the way there, which needs the other end's help; this includes the way back.
 */

type LineDelay = {
  /** A small request to `host` was answered after `ms`. Only requests to the same host are compared. */
  readonly answered: (host: string, ms: number) => void;
  /** The queue on the way to `host`, in ms; undefined: none of its requests was answered recently. */
  readonly queueMs: (host: string) => number | undefined;
  /** The same by the last request to `host` alone, whatever other hosts show. */
  readonly latestMs: (host: string) => number | undefined;
  /** The delay without a queue, in ms, as far as it is known; undefined: `host` never answered. */
  readonly leastMs: (host: string) => number | undefined;
  /** When `host`, or any host, last answered; -Infinity: never. */
  readonly lastMs: (host?: string) => number;
  /** The line has changed: forgets everything. */
  readonly forget: () => void;
};

/** The fastest of the last few requests counts: the others may have waited for something other than the line. */
const FILTER = 4;
const FILTER_MS = 400;
/** How long the last request counts where requests are rare. */
const RECENT_MS = 1_500;

/** The delay without a queue is the least of the last minutes; the least of each minute is kept. */
const MINUTE_MS = 60_000;
const MINUTES = 10;

type Durations = {
  readonly recent: readonly { readonly atMs: number; readonly ms: number }[];
  /** The least of each minute, the current one last. */
  readonly minima: readonly { readonly minute: number; readonly ms: number }[];
};

const least = (durations: readonly { readonly ms: number }[]): number => Math.min(...durations.map(({ ms }) => ms));

/** The least queue since `sinceMs`, in ms; empty without a request. */
const queueOf = (durations: Durations | undefined, sinceMs: number): readonly number[] => {
  const fresh = durations?.recent.filter(({ atMs }) => atMs >= sinceMs) ?? [];
  return durations && fresh.length > 0 ? [least(fresh) - least(durations.minima)] : [];
};

/** `now`: ms, from any moment on. A delay of one host that others do not show at the same time is the host's own. */
export const createLineDelay = (now: () => number): LineDelay => {
  const hosts = new Map<string, Durations>();
  let lastMs = Number.NEGATIVE_INFINITY;

  return {
    answered: (host, ms) => {
      lastMs = now();
      const minute = Math.floor(lastMs / MINUTE_MS);
      const { recent, minima } = hosts.get(host) ?? { recent: [], minima: [] };
      const present = minima.filter((one) => one.minute === minute);
      const earlier = minima.filter((one) => one.minute !== minute && one.minute > minute - MINUTES);
      hosts.set(host, {
        recent: [...recent, { atMs: lastMs, ms }].slice(-FILTER),
        minima: [...earlier, { minute, ms: Math.min(ms, least(present)) }],
      });
    },
    queueMs: (host) => {
      const nowMs = now();
      const atMs = hosts.get(host)?.recent.at(-1)?.atMs;
      if (atMs === undefined || nowMs - atMs > RECENT_MS) return undefined;
      const one = queueOf(hosts.get(host), Math.min(atMs, nowMs - FILTER_MS));
      return Math.min(...one, ...[...hosts.values()].flatMap((other) => queueOf(other, nowMs - FILTER_MS)));
    },
    latestMs: (host) => {
      const durations = hosts.get(host);
      const last = durations?.recent.at(-1);
      return durations && last && last.ms - least(durations.minima);
    },
    leastMs: (host) => {
      const durations = hosts.get(host);
      return durations && least(durations.minima);
    },
    lastMs: (host) =>
      host === undefined ? lastMs : (hosts.get(host)?.recent.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY),
    forget: () => {
      hosts.clear();
      lastMs = Number.NEGATIVE_INFINITY;
    },
  };
};
