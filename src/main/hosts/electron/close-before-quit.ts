import { app } from 'electron';
import type { Desk } from '../../core/desk.ts';
import { comesToRest } from '../../data/at-rest.ts';
import { endByForce, REST_MS } from '../../data/end-by-force.ts';
import { EXIT } from '../shared/exit-codes.ts';

const CLOSE_WITHIN_MS = 5_000;

/**
 * Closes the desk before the app quits, also on a signal. The wait is limited, since the ledger survives a kill. Hanging
 * work is then ended by force, because a quit would wait for it.
 */
export const closeBeforeQuit = (
  { close, hangs }: Pick<Desk, 'close' | 'hangs'>,
  onBug: (error: unknown) => void,
): void => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => app.quit());
  let state: 'open' | 'closing' | 'closed' = 'open';
  app.on('before-quit', (event) => {
    if (state === 'closed') return;
    event.preventDefault();
    if (state === 'closing') return;
    state = 'closing';
    const closed = close()
      .catch(onBug)
      .then(async () => !hangs() && (await comesToRest(REST_MS)));
    const patience = new Promise<false>((resolve) => setTimeout(resolve, CLOSE_WITHIN_MS, false));
    void Promise.race([closed, patience]).then((canEnd) => {
      state = 'closed';
      if (canEnd) app.quit();
      else endByForce(EXIT.done);
    });
  });
};
