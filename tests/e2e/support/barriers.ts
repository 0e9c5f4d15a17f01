import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/**
 * Takes the pages that were left out of the document, where they stay hidden: nothing can be found in them, but axe asks for
 * the style of each of their elements, which costs it more than the page that is seen.
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

/** What axe finds on the page as it is, with the element of each finding; of all its rules, or of those named. */
const barriers = async (page: Page, rules?: readonly string[]): Promise<readonly string[]> => {
  // Half a megabyte of script, which stays until the page is reloaded.
  const isLoaded = await page.evaluate(() => 'axe' in globalThis);
  const axe = new AxeBuilder({ page, ...(isLoaded && { axeSource: ';' }) })
    // The preview's page belongs to no context that could open the blank page of the other mode.
    .setLegacyMode()
    // Tabster's own markers of where the focus turns round are not for people.
    .exclude('[data-tabster-dummy]')
    // Nothing is told of the elements without a barrier, which takes axe most of its time.
    .options({ resultTypes: ['violations'], ...(rules && { runOnly: { type: 'rule', values: [...rules] } }) });
  await setAside(page);
  const { violations } = await axe.analyze().finally(() => bringBack(page));
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
};

/** The rules that look at colours. */
const ofColours = ['color-contrast', 'link-in-text-block'];

const looks = [
  { look: 'light', colorScheme: 'light', forcedColors: 'none', rules: undefined },
  { look: 'dark', colorScheme: 'dark', forcedColors: 'none', rules: ofColours },
  { look: 'forced', colorScheme: 'dark', forcedColors: 'active', rules: ofColours },
] as const;

/** It looks at every element of a page with long tables, and again where something was still fading in. */
const longEnough = { timeout: 60_000 };

/** Expects that axe finds nothing on the page as it is: by any rule in light colours, by those of colours in dark and forced ones. */
export const expectNoBarriers = async (page: Page, screen: string): Promise<void> => {
  for (const { look, colorScheme, forcedColors, rules } of looks) {
    await page.emulateMedia({ colorScheme, forcedColors, reducedMotion: 'reduce' });
    await expect.poll(() => barriers(page, rules), { ...longEnough, message: `${screen}, ${look}` }).toEqual([]);
  }
};
