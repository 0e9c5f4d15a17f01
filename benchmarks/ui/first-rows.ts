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
