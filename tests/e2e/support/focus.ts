import type { Locator, Page } from '@playwright/test';
import { expect } from './test.ts';

export const tabTo = async (page: Page, target: Locator): Promise<void> => {
  await expect(target).toBeVisible();
  const hasFocus = () => target.evaluate((element) => element === document.activeElement);
  for (let step = 0; step < 60 && !(await hasFocus()); step += 1) await page.keyboard.press('Tab');
  await expect(target).toBeFocused();
};
