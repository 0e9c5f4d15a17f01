import type { Page } from '@playwright/test';

/**
 * Resolves to the duration of each frame, in ms, while `rows` rows of the visible table are scrolled through,
 * `rowsAFrame` at a time.
 */
export const measureScrolling = (page: Page, rows: number, rowsAFrame: number): Promise<readonly number[]> =>
  page.evaluate(
    async ([rows, rowsAFrame]) => {
      // Takes a visible row: pages that were shown before stay in the document, but are hidden.
      const row = [...document.querySelectorAll('[data-row]')].find((element) => element.checkVisibility());
      const scroller = row?.closest('[role="group"]');
      if (row == null || scroller == null) throw new Error('there is no table');
      const rowHeight = row.getBoundingClientRect().height;
      scroller.scrollTop = 0;
      const frames: number[] = [];
      await new Promise<void>((resolve) => {
        let before: number | undefined;
        let scrolled = 0;
        const step = (now: number): void => {
          if (before !== undefined) frames.push(now - before);
          before = now;
          scrolled += rowsAFrame;
          scroller.scrollTop = scrolled * rowHeight;
          if (scrolled < rows) requestAnimationFrame(step);
          else resolve();
        };
        requestAnimationFrame(step);
      });
      return frames;
    },
    [rows, rowsAFrame] as const,
  );
