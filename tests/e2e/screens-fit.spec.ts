import { walkFiles, walkNewUpload, walkReading, walkUploading, walkWatchedFolders } from './support/every-screen.ts';
import { JOB_PROTOCOLS } from './support/job-folders.ts';
import { beginInEnglish } from './support/languages.ts';
import { expectUsable } from './support/layout.ts';
import { signIn } from './support/steps.ts';
import { testAtNewService as test } from './support/test.ts';

test.use({ protocols: JOB_PROTOCOLS });

// Every screen is measured in four sizes, and examined by axe three times.
test.slow();
test.describe.configure({ mode: 'parallel' });

test.beforeEach(({ desk }) => beginInEnglish(desk.page));

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
