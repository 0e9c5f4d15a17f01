/** A round trip to a host, to be timed: an almost empty request through the same pool, and so the same proxy, as uploads. */
import type { Dispatcher } from 'undici';
import { DeskError } from '../../contract/errors.ts';

/** A host that takes longer to answer does so for reasons of its own. */
const ANSWER_MS = 10_000;

/**
 * Sends a HEAD request to `origin`, without a path, a token or a signature. `onSent` is called when it is sent, after
 * its connection was opened. Resolves when the answer arrives, whatever its status. Rejects without an answer.
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
