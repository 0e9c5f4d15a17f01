import { app } from 'electron';

const CLOSE_WITHIN_MS = 5_000;

/** Runs `close` before the app quits, also when it is told to by a signal. The wait has an end: the ledger survives a kill, a person's patience does not. */
export const closeBeforeQuit = (close: () => Promise<void>, onBug: (error: unknown) => void): void => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => app.quit());
  let state: 'open' | 'closing' | 'closed' = 'open';
  app.on('before-quit', (event) => {
    if (state === 'closed') return;
    event.preventDefault();
    if (state === 'closing') return;
    state = 'closing';
    const patience = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_WITHIN_MS));
    void Promise.race([close().catch(onBug), patience]).then(() => {
      state = 'closed';
      app.quit();
    });
  });
};
