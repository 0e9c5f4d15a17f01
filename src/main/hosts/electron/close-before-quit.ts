import { app, powerMonitor } from 'electron';
import type { Desk } from '../../core/desk.ts';
import { comesToRest } from '../../data/at-rest.ts';
import { endByForce, REST_MS } from '../../data/end-by-force.ts';
import { EXIT } from '../shared/exit-codes.ts';

const CLOSE_WITHIN_MS = 5_000;

/**
 * Closes the desk before the app quits, if `mayQuit` agrees, and without asking on a signal or when the computer shuts
 * down. The wait is limited, since the ledger survives a kill. Hanging work is then ended by force, because a quit would
 * wait for it. Returns whether the app is ending.
 */
export const closeBeforeQuit = (
  { close, hangs, onEnd, onStay }: Pick<Desk, 'close' | 'hangs' | 'onEnd' | 'onStay'>,
  mayQuit: () => Promise<boolean>,
  onBug: (error: unknown) => void,
): (() => boolean) => {
  let state: 'open' | 'asking' | 'closing' | 'closed' = 'open';
  const end = (): void => {
    if (state === 'closing' || state === 'closed') return;
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
  };
  const ask = async (): Promise<void> => {
    state = 'asking';
    const may = await mayQuit();
    if (state !== 'asking') return;
    state = 'open';
    if (may) end();
    else onStay();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  // Nothing is installed while the computer shuts down: it would be cut off.
  powerMonitor.on('shutdown', () => {
    app.off('quit', onEnd);
    end();
  });
  app.on('quit', onEnd);
  app.on('before-quit', (event) => {
    if (state === 'closed') return;
    event.preventDefault();
    if (state === 'open') ask().catch(onBug);
  });
  return () => state === 'closing' || state === 'closed';
};
