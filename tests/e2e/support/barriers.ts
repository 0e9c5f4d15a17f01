import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** What axe finds on the page as it is, with the element of each finding. */
export const barriers = async (page: Page): Promise<readonly string[]> => {
  // Legacy: the preview's page belongs to no context that could open the blank page of the other mode. Tabster's own markers of where the focus turns round are not for people.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().exclude('[data-tabster-dummy]').analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
};
