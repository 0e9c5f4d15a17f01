import type { Locator, Page } from '@playwright/test';

/** Drops the file or folder at `path` of this machine on `target`, as from the system's file manager. */
export const dropFolder = async (page: Page, target: Locator, path: string): Promise<void> => {
  const box = await target.boundingBox();
  if (box === null) throw new Error('the drop target is not visible');
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: box.x + 5, y: box.y + 5, data });
    // Until the page has accepted the files, a drop has no effect.
    if (type !== 'drop') await page.evaluate(() => new Promise(requestAnimationFrame));
  }
};
