/** Times how long a host takes to answer next to nothing, through the same pool, and so the same proxy, as real requests. */
import type { Dispatcher } from 'undici';
import { DeskError } from '../../contract/errors.ts';

/** A host that takes longer says nothing of the line. */
const ANSWER_MS = 10_000;

/**
 * Sends a HEAD request to `origin`, without a path, a token or a signature. `onSent` is called when it leaves, which is
 * after its connection was opened; resolves at the answer, whatever that is. Rejects without an answer.
 */
export const timeRoundTrip = (dispatcher: Dispatcher, origin: string, onSent: () => void): Promise<void> =>
  new Promise((resolve, reject) => {
    dispatcher.dispatch(
      { origin, path: '/', method: 'HEAD', headersTimeout: ANSWER_MS },
      {
        onRequestStart: () => onSent(),
        onResponseStart: () => resolve(),
        onResponseEnd: () => reject(new DeskError('service/unreachable', 'no answer')),
        onResponseError: (_, error) => reject(error),
      },
    );
  });
