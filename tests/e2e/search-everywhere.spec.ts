import { join } from 'node:path';
import { sampleProtocol } from '../../src/sandbox/sample/sample-data.ts';
import { makeFolder } from './support/make-folder.ts';
import { firstRow, openAssignment, openSection, shown, signIn, uploadFolder } from './support/steps.ts';
import { expect, testAtNewService as test } from './support/test.ts';

test.use({ protocols: 240 });

test('finds protocols, assignments and uploads by their words, an id, and despite typing errors, and leads to all results and to the service', async ({
  desk,
  home,
}) => {
  const { page } = desk;
  await makeFolder(join(home, 'Søknad 2026'), 1);
  await signIn(desk);
  const address = await page.locator('[data-row="0"] button').first().innerText();
  await openAssignment(page);
  await uploadFolder(desk, join(home, 'Søknad 2026'));
  await expect(shown(page, '1 uploaded')).toBeVisible();
  await openSection(page, 'Assignments');
  const customer = page.getByRole('grid', { name: 'Assignments' }).locator('[data-row="0"]');
  const [firstName = '', lastName = ''] = (await customer.getByRole('gridcell').nth(3).innerText()).split(' ');

  const find = async (text: string) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill(text);
    return page.getByRole('listbox');
  };
  await expect((await find('nothing like this')).getByRole('option')).toHaveCount(0);
  await expect(page.getByText('No results for “nothing like this”.')).toBeVisible();
  // The service, which is also searched, finds texts within words.
  const inside = await find('ttninggat');
  await expect(inside.getByRole('option').first()).toContainText('Drottninggatan');
  await page.keyboard.press('Escape');

  const uploads = (await find('søknad')).getByRole('option', { name: /^Søknad 2026/ });
  await uploads.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Søknad 2026' })).toBeVisible();

  await expect((await find(`${firstName} ${lastName}`)).getByRole('option').first()).toContainText(lastName);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Upload documents' })).toBeVisible();

  const place = (await page.getByRole('heading', { level: 1 }).filter({ visible: true }).innerText()).trim();
  const id = (
    await page
      .getByText(/^[0-9a-f]{8}-[0-9a-f-]{27}$/)
      .filter({ visible: true })
      .first()
      .innerText()
  ).trim();
  for (const text of [id, ` {${id.toUpperCase()}} `, id.slice(0, 10)]) {
    const found = (await find(text)).getByRole('group', { name: 'Assignments' }).getByRole('option');
    await expect(found).toHaveCount(1);
    await expect(found).toContainText(place.split(',')[0] ?? '');
    // The result names the id, because its row does not show the id otherwise.
    await expect(found).toContainText(`Assignment ID: ${id}`);
    await page.keyboard.press('Escape');
  }
  const word = /\p{L}{4,}/u.exec(address)?.[0] ?? '';
  const similar = await find(`${word.slice(0, 2)}${word.slice(1)}`);
  await expect(similar.getByRole('option').first()).toContainText(word);
  await page.keyboard.press('Escape');

  await (await find(address)).getByRole('option', { name: address }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: address })).toBeVisible();

  const { keyboard } = page;
  await openSection(page, 'Assignments');
  await firstRow(page, 'Assignments').waitFor();
  await keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search protocols, assignments, uploads and files' }).fill('s');
  const all = page.getByRole('option', { name: /^Show all \d+ results$/ });
  await expect(all).toBeVisible();
  // After the last result, the arrow keys lead to the links that continue the search. The page behind the dialog has
  // options, too.
  const options = page.getByRole('dialog').getByRole('option');
  await expect(page.getByText(/^(Includes all matching|Searched .+ The service may have more)/)).toBeVisible();
  const last = (await options.count()) - 1;
  for (let position = 1; position <= last; position += 1) {
    await keyboard.press('ArrowDown');
    await expect(options.nth(position)).toHaveAttribute('aria-selected', 'true');
  }
  await expect(all).toHaveAttribute('aria-selected', 'true');
  const numberIn = (text: string): number => Number(/\d+/.exec(text)?.[0]);
  const offered = numberIn(await all.innerText());
  await keyboard.press('Enter');

  await expect(page.getByRole('heading', { level: 1, name: 'Search results' })).toBeFocused();
  const table = page.getByRole('table', { name: 'Protocols' }).filter({ visible: true });
  // The numbers grow while assignments are still being added to the offline data.
  await expect(async () => {
    const total = numberIn(await page.getByText(/^\d+ results for “s”$/).innerText());
    const counts = (await page.getByRole('tab').allInnerTexts()).map(numberIn);
    expect(total).toBeGreaterThanOrEqual(offered);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(total);
    expect(await table.getAttribute('aria-rowcount')).toBe(String((counts[0] ?? 0) + 1));
  }).toPass();
  await table.locator('[data-row="1"] button').focus();
  await keyboard.press('Enter');
  await page.getByRole('table', { name: 'Assignments' }).filter({ visible: true }).waitFor();
  await keyboard.press('Alt+ArrowLeft');
  await expect(table.locator('[data-row="1"] button')).toBeFocused();
  await page.getByRole('tab', { name: /^Assignments/ }).click();
  await firstRow(page, 'Assignments').filter({ visible: true }).waitFor();
  await keyboard.press('Alt+ArrowLeft');
  await expect(page.getByRole('heading', { level: 1, name: 'Assignments' })).toBeVisible();
  await keyboard.press('Alt+ArrowRight');

  // Protocols that the service finds are stored and shown, whether or not the offline data had results.
  await page.getByRole('searchbox', { name: 'Search protocols, assignments, uploads and files' }).fill('station');
  const served = Array.from({ length: 240 }, (_, index) => sampleProtocol(1, index, 240)).filter(({ Address }) =>
    /station/i.test(Address),
  );
  await expect(page.getByRole('tab', { name: `Protocols (${served.length})` })).toBeVisible();
});
