/** Previews of the photos and PDFs of a folder under review: thumbnails in its list of files, and a large view. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { expectNoBarriers } from './support/barriers.ts';
import { dropFolder } from './support/drop-folder.ts';
import type { ElectronDriver } from './support/electron-driver.ts';
import { JOB_PROTOCOLS, planJobs, writeJobs } from './support/job-folders.ts';
import { openSection, signIn } from './support/steps.ts';
import { expect, testAtNewService as test } from './support/test.ts';

test.use({ protocols: JOB_PROTOCOLS });

const chunk = (type: string, content: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
};

/** Creates a PNG of one colour. Its upper third, the sky, is darker. */
const photo = (width: number, height: number, [red, green, blue]: readonly [number, number, number]): Buffer => {
  const rows = Array.from({ length: height }, (_, y) => {
    const shade = y < height / 3 ? 0.6 : 1;
    return Buffer.from([0, ...Array.from({ length: width }, () => [red * shade, green * shade, blue * shade]).flat()]);
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

/** A PDF with one red page. It has no cross-reference table, which viewers then rebuild. */
const PDF = `%PDF-1.4
1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj
2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj
3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 400 300] /Contents 4 0 R>> endobj
4 0 obj <</Length 25>> stream
1 0 0 rg 0 0 400 300 re f
endstream endobj
trailer <</Root 1 0 R>>
%%EOF`;

test('shows the photos of a folder small, one in large from which the arrow keys lead on, and a PDF in a viewer that reaches nothing else', async ({
  desk,
  home,
}) => {
  const { app, page } = desk as ElectronDriver;
  const jobs = planJobs(JOB_PROTOCOLS).slice(0, 2);
  const root = join(home, 'Jobs');
  await writeJobs(root, jobs, 'now');
  const job = jobs[0]?.name ?? '';
  await writeFile(join(root, job, 'facade.png'), photo(640, 480, [190, 120, 90]));
  await writeFile(join(root, job, 'garden.png'), photo(480, 640, [90, 160, 90]));
  await writeFile(join(root, job, 'report ö #1.pdf'), PDF);
  await signIn(desk);
  await openSection(page, 'Uploads');
  await dropFolder(page, page.getByRole('heading', { level: 1, name: 'Uploads' }), root);
  await page.getByRole('row').filter({ hasText: job }).click();
  await page.getByRole('tab', { name: 'Files (5)' }).click();
  const files = page.getByRole('region', { name: 'Files' });
  await expect(files.locator('img')).toHaveCount(2);
  await expect
    .poll(() =>
      files
        .locator('img')
        .first()
        .evaluate((img: HTMLImageElement) => img.naturalWidth),
    )
    .toBe(640);
  await expectNoBarriers(page, 'files with photos');

  await files.getByRole('row').filter({ hasText: 'facade.png' }).click();
  const dialog = page.getByRole('dialog', { name: 'facade.png' });
  await expect(dialog.getByRole('img', { name: 'facade.png' })).toBeVisible();
  await expectNoBarriers(page, 'a photo in large');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('dialog').getByRole('img', { name: 'garden.png' })).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('dialog')).toContainText('There is no preview of this file.');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  // Escape closes only the dialog: the row has the focus again.
  await expect(files.getByRole('row').filter({ hasText: 'photo 1.jpg' }).locator(':focus')).toBeVisible();

  await files.getByRole('row').filter({ hasText: 'report ö #1.pdf' }).click();
  const frame = page.getByRole('dialog').locator('iframe[title="report ö #1.pdf"]');
  await expect(frame).toBeVisible();
  const frames = () =>
    app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().flatMap(({ webContents }) =>
        webContents.mainFrame.framesInSubtree.map(({ url, origin }) => ({ url, origin })),
      ),
    );
  // The frame contains Chromium's viewer, and the viewer contains a frame with the pages.
  const isViewer = ({ url }: { readonly url: string }): boolean =>
    url.startsWith('chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/');
  const isDocument = ({ url }: { readonly url: string }): boolean => url.startsWith('app://document/');
  await expect.poll(async () => (await frames()).filter(isViewer).length).toBe(1);
  await expect.poll(async () => (await frames()).filter(isDocument).length).toBe(2);
  // Resolves to the colour in the middle of the frame, as the window shows it.
  const middle = async () => {
    const { x, y, width, height } = (await frame.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    return app.evaluate(
      async ({ BrowserWindow }, at) => {
        const [window] = BrowserWindow.getAllWindows();
        const pixel = await window?.webContents.capturePage({ ...at, width: 1, height: 1 });
        return pixel ? [...pixel.toBitmap().subarray(0, 3)] : [];
      },
      { x: Math.round(x + width / 2), y: Math.round(y + height / 2) },
    );
  };
  const [BLUE, GREEN, RED] = [0, 0, 255];
  await expect.poll(middle).toEqual([BLUE, GREEN, RED]);

  // Main serves nothing else at this address: no other file of the folder, no file outside of it, and nothing to the
  // page.
  const address = (await frame.getAttribute('src')) ?? '';
  await writeFile(join(root, 'secret.pdf'), PDF);
  const status = (path: string) =>
    app.evaluate(
      async ({ net }, url) => (await net.fetch(url)).status,
      address.replace(/[^/]*$/, encodeURIComponent(path)),
    );
  expect(await Promise.all(['report ö #1.pdf', 'photo 1.jpg', '../secret.pdf', '%'].map(status))).toEqual([
    200, 404, 404, 404,
  ]);
  expect(await page.evaluate((url) => fetch(url).catch(() => 'refused'), address)).toBe('refused');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
});
