import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/**
 * Removes the hidden pages, which stay in the document after the user has left them. No barrier can be found in them,
 * but axe would read the style of each of their elements, which takes longer than the visible page.
 */
const setAside = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const kept = [...document.querySelectorAll<HTMLElement>('main > *')].filter(
      ({ style }) => style.display === 'none',
    );
    const places = kept.map((element) => {
      const place = document.createComment('');
      element.replaceWith(place);
      return () => place.replaceWith(element);
    });
    Reflect.set(globalThis, 'bringBack', () => {
      for (const bringBack of places) bringBack();
    });
  });

const bringBack = (page: Page): Promise<void> => page.evaluate(() => Reflect.get(globalThis, 'bringBack')());

/** Returns the findings of axe on the page, each with its element: by all rules, or by `rules`. */
const barriers = async (page: Page, rules?: readonly string[]): Promise<readonly string[]> => {
  // Adds the script, which has half a megabyte, only once: it stays until the page is reloaded.
  const isLoaded = await page.evaluate(() => 'axe' in globalThis);
  const axe = new AxeBuilder({ page, ...(isLoaded && { axeSource: ';' }) })
    // The other mode needs a blank page, which the context of the preview's page cannot open.
    .setLegacyMode()
    // Tabster's markers of the places where the focus wraps are not for users.
    .exclude('[data-tabster-dummy]')
    // Leaves out the elements without a barrier, because axe takes most of its time to describe them.
    .options({ resultTypes: ['violations'], ...(rules && { runOnly: { type: 'rule', values: [...rules] } }) });
  await setAside(page);
  const { violations } = await axe.analyze().finally(() => bringBack(page));
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
};

const ofColours = ['color-contrast', 'link-in-text-block'];

const looks = [
  { look: 'light', colorScheme: 'light', forcedColors: 'none', rules: undefined },
  { look: 'dark', colorScheme: 'dark', forcedColors: 'none', rules: ofColours },
  { look: 'forced', colorScheme: 'dark', forcedColors: 'active', rules: ofColours },
] as const;

/** Axe examines every element of a page with long tables, and a second time if something was fading in. */
const longEnough = { timeout: 60_000 };

/**
 * Expects that axe finds nothing on the page: by any rule in light colours, and by the rules about colours in dark and
 * forced colours.
 */
export const expectNoBarriers = async (page: Page, screen: string): Promise<void> => {
  for (const { look, colorScheme, forcedColors, rules } of looks) {
    await page.emulateMedia({ colorScheme, forcedColors, reducedMotion: 'reduce' });
    await expect.poll(() => barriers(page, rules), { ...longEnough, message: `${screen}, ${look}` }).toEqual([]);
  }
};
