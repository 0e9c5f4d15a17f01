/** Timed round trips to hosts: almost empty requests on connections that carry nothing else. */

import { DeskError } from '../../contract/errors.ts';
import { type Dispatcher, errors } from './undici.mjs';

/** The timeout of a response. A slower one does not measure the line. */
const ANSWER_MS = 10_000;

/**
 * Sends a HEAD request to `origin`, without a path, a token or a signature. `onSent` is called when the request is
 * sent, after its connection was opened; again if the connection was lost and the request is sent once more. Resolves
 * when the response begins, whatever its status. Rejects if there is none.
 */
export type TimeRoundTrip = (origin: string, onSent: () => void) => Promise<void>;

/**
 * Creates the function that sends requests and tells when they are sent. `dispatcher` keeps one connection to each host
 * and is used for nothing else.
 */
export const createTimeRoundTrip = (dispatcher: Dispatcher): TimeRoundTrip => {
  /** Origins that responded last time: their connections may still be open. */
  const kept = new Set<string>();
  return async (origin, onSent) => {
    const isKept = kept.delete(origin);
    try {
      await ask(dispatcher, origin, onSent);
    } catch (error) {
      // The host may have closed an idle connection just as the request was sent.
      if (!isKept || error instanceof errors.HeadersTimeoutError) throw error;
      await ask(dispatcher, origin, onSent);
    }
    kept.add(origin);
  };
};

/** Sends one request. `reset` is false because undici otherwise closes the connection after each HEAD request. */
const ask = (dispatcher: Dispatcher, origin: string, onSent: () => void): Promise<void> =>
  new Promise((resolve, reject) => {
    dispatcher.dispatch(
      { origin, path: '/', method: 'HEAD', reset: false, headersTimeout: ANSWER_MS },
      {
        onRequestStart: () => onSent(),
        onResponseStart: () => resolve(),
        onResponseEnd: () => reject(new DeskError('service/unreachable', 'no answer')),
        onResponseError: (_, error) => reject(error),
      },
    );
  });
