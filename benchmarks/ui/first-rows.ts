import type { Locator } from '@playwright/test';
import type { MeasuredApp } from './app.ts';

/**
 * Measures the time, in ms, from the request for a window until its first rows are painted. Opens `windows` windows one
 * after another, each in a new renderer process; the last one stays open.
 */
export const measureFirstRows = async (measured: MeasuredApp, windows: number): Promise<readonly number[]> => {
  const { app } = measured;
  // Except on macOS, the app would quit when its window is closed.
  await app.evaluate(({ app }) => app.removeAllListeners('window-all-closed').on('window-all-closed', () => {}));
  const samples: number[] = [];
  for (let index = 0; index < windows; index += 1) {
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.destroy());
    const opened = app.waitForEvent('window');
    const askedAt = await app.evaluate(({ app }) => {
      const now = Date.now();
      app.emit('activate');
      return now;
    });
    const page = await opened;
    measured.setPage(page);
    const paintedAt = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const look = (): void => {
            if (document.querySelector('[data-row="0"]') === null) requestAnimationFrame(look);
            // The next frame paints the rows.
            else requestAnimationFrame(() => resolve(Date.now()));
          };
          look();
        }),
    );
    samples.push(paintedAt - askedAt);
  }
  return samples;
};

/** Resolves to the time from a click to the frame with the first rows that the click shows, in ms. */
export const rowsAfterClick = (button: Locator): Promise<number> =>
  button.evaluate(
    (element: HTMLElement) =>
      new Promise<number>((resolve) => {
        const begunMs = performance.now();
        const look = (): void => {
          // Only visible rows count: pages that were shown before stay in the document, but are hidden.
          const rows = [...document.querySelectorAll('[data-row="0"]')];
          if (!rows.some((row) => row.checkVisibility())) requestAnimationFrame(look);
          // The next frame paints the rows.
          else requestAnimationFrame(() => resolve(performance.now() - begunMs));
        };
        element.click();
        requestAnimationFrame(look);
      }),
  );
