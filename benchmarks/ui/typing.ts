/** Measures in the page how long a keystroke in a search takes to be shown. */
import type { Locator, Page } from '@playwright/test';

type Typing = {
  readonly samples: readonly number[];
  /** Stores the sample of the last keystroke, and ignores changes until the next keystroke. */
  readonly rest: () => void;
  readonly stop: () => void;
};
declare global {
  interface Window {
    typing: Typing;
  }
}

/** The pause between two keystrokes: too short for a request to the service. */
const pauseMs = 200;

/**
 * Types `texts` into `field`, one after the other. Resolves to the time from each keystroke until the last change that
 * the keystroke caused in the rows is painted, in ms. A keystroke that changes no rows has no sample.
 */
export const measureTyping = async (
  page: Page,
  field: Locator,
  texts: readonly string[],
): Promise<readonly number[]> => {
  await field.focus();
  const samples: number[] = [];
  for (const text of texts) {
    await field.fill('');
    // Waits for the response to the request that the empty field causes.
    await page.waitForTimeout(5 * pauseMs);
    samples.push(...(await measureKeys(page, [...text])));
  }
  return samples;
};

/**
 * Presses `keys` in the focused element. Resolves to the time from each key until the last change that the key caused
 * in the rows is painted, in ms. A key that changes no rows has no sample.
 */
export const measureKeys = async (page: Page, keys: readonly string[]): Promise<readonly number[]> => {
  await page.evaluate(watchTyping, pauseMs);
  for (const key of keys) {
    await page.keyboard.press(key === ' ' ? 'Space' : key);
    await page.waitForTimeout(pauseMs);
  }
  return page.evaluate(() => {
    window.typing.rest();
    window.typing.stop();
    return window.typing.samples;
  });
};

/** Runs in the page. */
const watchTyping = (pauseMs: number): void => {
  const samples: number[] = [];
  let pressedAt: number | undefined;
  let changedMs: number | undefined;
  const rest = (): void => {
    if (changedMs !== undefined) samples.push(changedMs);
    changedMs = undefined;
    pressedAt = undefined;
  };
  const isOfRows = ({ target, addedNodes }: MutationRecord): boolean =>
    (target instanceof Element ? target : target.parentElement)?.closest('tbody, [role="listbox"]') != null ||
    [...addedNodes].some((node) => node instanceof Element && node.querySelector('[data-row]') !== null);
  const onKeyDown = ({ timeStamp }: KeyboardEvent): void => {
    rest();
    pressedAt = timeStamp;
  };
  const observer = new MutationObserver((records) => {
    const since = pressedAt;
    if (since === undefined || !records.some(isOfRows)) return;
    requestAnimationFrame(() => {
      const painted = new MessageChannel();
      painted.port1.onmessage = () => {
        const tookMs = performance.now() - since;
        // The first change always counts for this keystroke. Later changes count only until the next key is due.
        if (since === pressedAt && (changedMs === undefined || tookMs < pauseMs)) changedMs = tookMs;
      };
      painted.port2.postMessage(undefined);
    });
  });
  document.addEventListener('keydown', onKeyDown, true);
  observer.observe(document.body, { subtree: true, childList: true, characterData: true });
  const stop = (): void => {
    observer.disconnect();
    document.removeEventListener('keydown', onKeyDown, true);
  };
  window.typing = { samples, rest, stop };
};
