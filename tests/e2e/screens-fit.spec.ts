import type { Page } from '@playwright/test';
import { expectNoBarriers } from './support/barriers.ts';
import {
  walkFiles,
  walkFirstStart,
  walkNewUpload,
  walkReading,
  walkUploading,
  walkWatchedFolders,
} from './support/every-screen.ts';
import { beginInEnglish } from './support/languages.ts';
import { expectFits } from './support/layout.ts';
import { signIn } from './support/steps.ts';
import { testAtNewService as test, test as testOnNewDesk } from './support/test.ts';

// Every screen is measured in three sizes and in every language.
test.slow();
test.describe.configure({ mode: 'parallel' });

/** For screens that axe looks at on this walk too, and not on one of its own (screens-accessible). */
const expectUsable =
  (page: Page) =>
  async (screen: string): Promise<void> => {
    await expectNoBarriers(page, screen);
    await page.emulateMedia({ colorScheme: null, forcedColors: null, reducedMotion: null });
    await expectFits(page, screen);
  };

test.beforeEach(({ desk }) => beginInEnglish(desk.page));

testOnNewDesk.describe('before a service is set up', () => {
  testOnNewDesk.use({ connected: false });

  testOnNewDesk(
    'nothing is cut off, covered or out of reach on the first start, at any size, in any language',
    async ({ desk }) => {
      await walkFirstStart(desk, (screen) => expectFits(desk.page, screen));
    },
  );
});

test('nothing is cut off, covered or out of reach when browsing, at any size, in any language', async ({ desk }) => {
  await walkReading(desk, (screen) => expectFits(desk.page, screen));
});

test('nothing is cut off, covered or out of reach when uploading, at any size, in any language', async ({
  desk,
  control,
  home,
}) => {
  await walkUploading(desk, { control, home }, (screen) => expectFits(desk.page, screen));
});

test('is accessible in a new upload, and nothing is cut off, covered or out of reach at any size, in any language', async ({
  desk,
  home,
}) => {
  await signIn(desk);
  await walkNewUpload(desk, { home }, expectUsable(desk.page));
});

test('is accessible in the search for files, and nothing is cut off, covered or out of reach at any size, in any language', async ({
  desk,
  control,
  home,
}) => {
  await signIn(desk);
  await walkFiles(desk, { control, home }, expectUsable(desk.page));
});

test('is accessible with watched folders, and nothing is cut off, covered or out of reach at any size, in any language', async ({
  desk,
  home,
}) => {
  await signIn(desk);
  await walkWatchedFolders(desk, { home }, expectUsable(desk.page));
});
