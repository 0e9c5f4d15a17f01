import type { Locator } from '@playwright/test';
import type { MeasuredApp } from './app.ts';

/**
 * Milliseconds from asking for a window to the first rows painted in it, `windows` times; each is a new renderer
 * process. The last window stays.
 */
export const measureFirstRows = async (measured: MeasuredApp, windows: number): Promise<readonly number[]> => {
  const { app } = measured;
  // Except on macOS, the app would quit with its window.
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
            // They are painted by the next frame.
            else requestAnimationFrame(() => resolve(Date.now()));
          };
          look();
        }),
    );
    samples.push(paintedAt - askedAt);
  }
  return samples;
};

/** Milliseconds from a click to the frame with the first rows that it brings into view. */
export const rowsAfterClick = (button: Locator): Promise<number> =>
  button.evaluate(
    (element: HTMLElement) =>
      new Promise<number>((resolve) => {
        const begunMs = performance.now();
        const look = (): void => {
          // Pages visited before stay in the document, hidden.
          const rows = [...document.querySelectorAll('[data-row="0"]')];
          if (!rows.some((row) => row.checkVisibility())) requestAnimationFrame(look);
          // They are painted by the next frame.
          else requestAnimationFrame(() => resolve(performance.now() - begunMs));
        };
        element.click();
        requestAnimationFrame(look);
      }),
  );
