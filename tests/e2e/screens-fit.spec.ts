import type { Page } from '@playwright/test';
import { expectNoBarriers } from './support/barriers.ts';
import {
  type Look,
  walkFiles,
  walkFirstStart,
  walkNewUpload,
  walkReading,
  walkUploading,
  walkWatchedFolders,
} from './support/every-screen.ts';
import { JOB_PROTOCOLS } from './support/job-folders.ts';
import { beginInEnglish } from './support/languages.ts';
import { expectFits } from './support/layout.ts';
import { signIn } from './support/steps.ts';
import { testAtNewService as test, test as testOnNewDesk } from './support/test.ts';

test.use({ protocols: JOB_PROTOCOLS });

// Every screen is measured in four sizes, and examined by axe three times.
test.slow();
test.describe.configure({ mode: 'parallel' });

const expectUsable =
  (page: Page): Look =>
  async (screen, only) => {
    if (only !== 'layout') await expectNoBarriers(page, screen);
    await page.emulateMedia({ colorScheme: null, forcedColors: null, reducedMotion: null });
    if (only !== 'barriers') await expectFits(page, screen);
  };

test.beforeEach(({ desk }) => beginInEnglish(desk.page));

testOnNewDesk.describe('before a service is set up', () => {
  testOnNewDesk.use({ connected: false });

  testOnNewDesk(
    'is accessible on the first start, and nothing is cut off, covered or out of reach at any size',
    async ({ desk }) => {
      await walkFirstStart(desk, expectUsable(desk.page));
    },
  );
});

test('is accessible when browsing, and nothing is cut off, covered or out of reach at any size', async ({ desk }) => {
  await walkReading(desk, expectUsable(desk.page));
});

test('is accessible when uploading, and nothing is cut off, covered or out of reach at any size', async ({
  desk,
  control,
  home,
}) => {
  await walkUploading(desk, { control, home }, expectUsable(desk.page));
});

test('is accessible in a new upload, and nothing is cut off, covered or out of reach at any size', async ({
  desk,
  home,
}) => {
  await signIn(desk);
  await walkNewUpload(desk, { home }, expectUsable(desk.page));
});

test('is accessible in the search for files, and nothing is cut off, covered or out of reach at any size', async ({
  desk,
  control,
  home,
}) => {
  await signIn(desk);
  await walkFiles(desk, { control, home }, expectUsable(desk.page));
});

test('is accessible with watched folders, and nothing is cut off, covered or out of reach at any size', async ({
  desk,
  home,
}) => {
  await signIn(desk);
  await walkWatchedFolders(desk, { home }, expectUsable(desk.page));
});
