/** Times round trips to hosts, by almost empty requests on connections that carry nothing else. */

import { DeskError } from '../../contract/errors.ts';
import { USER_AGENT } from './exchange.ts';
import { type Dispatcher, errors } from './undici.mjs';
import { MOST_ORIGINS } from './urls.ts';

/** The timeout of a response. A slower response would say nothing about the delay of the line. */
const ANSWER_MS = 10_000;

/**
 * Sends a HEAD request to `origin`, without a path, a token or a signature. `onSent` is called when the request is
 * sent, after its connection was opened; it is called again if the connection was lost and the request is repeated.
 * Resolves when the response begins, whatever its status. Rejects if the host does not respond.
 */
export type TimeRoundTrip = (origin: string, onSent: () => void) => Promise<void>;

/**
 * Creates the function that sends the requests. `dispatcher` must keep one connection to each host, and nothing else
 * may use it.
 */
export const createTimeRoundTrip = (dispatcher: Dispatcher): TimeRoundTrip => {
  /** The origins that responded last time. Their connections may still be open. */
  const kept = new Set<string>();
  return async (origin, onSent) => {
    const isKept = kept.delete(origin);
    try {
      await ask(dispatcher, origin, onSent);
    } catch (error) {
      // The host can close an idle connection while the request is being sent.
      if (!isKept || error instanceof errors.HeadersTimeoutError) throw error;
      await ask(dispatcher, origin, onSent);
    }
    if (kept.size >= MOST_ORIGINS) kept.clear();
    kept.add(origin);
  };
};

/** Sends one request. `reset` is false, because undici otherwise closes the connection after each HEAD request. */
const ask = (dispatcher: Dispatcher, origin: string, onSent: () => void): Promise<void> =>
  new Promise((resolve, reject) => {
    dispatcher.dispatch(
      { origin, path: '/', method: 'HEAD', headers: USER_AGENT, reset: false, headersTimeout: ANSWER_MS },
      {
        onRequestStart: () => onSent(),
        onResponseStart: () => resolve(),
        onResponseEnd: () => reject(new DeskError('service/unreachable', 'no answer')),
        onResponseError: (_, error) => reject(error),
      },
    );
  });
