/** What a person does in the app, in the words of its screens. */
import { basename } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import type { Driver } from './driver.ts';

/** The table with this name; one whose rows can be selected is a grid. */
export const tableNamed = (page: Page, name: string): Locator =>
  page.getByRole('table', { name }).or(page.getByRole('grid', { name }));

/** The first of the rows of `table`: the table itself is there before they are. */
export const firstRow = (page: Page, table: string): Locator => tableNamed(page, table).locator('[data-row="0"]');

/** The button of the page: on some pages the navigation has one, too. */
export const signInButton = (page: Page): Locator =>
  page.getByRole('main').getByRole('button', { name: 'Sign in' }).filter({ visible: true });

/** Signs in. */
export const allowSignIn = ({ page, decideInBrowser }: Driver): Promise<void> =>
  decideInBrowser(() => signInButton(page).click(), 'allow');

/** Signs in and waits for the first page of protocols. */
export const signIn = async (desk: Driver): Promise<void> => {
  await allowSignIn(desk);
  await expect(firstRow(desk.page, 'Protocols')).toBeVisible();
};

/** Signs out, and arrives at the sign-in. */
export const signOut = async (page: Page): Promise<void> => {
  await page.getByRole('banner').getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('alertdialog', { name: 'Sign out?' }).getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
};

/** Opens the first protocol and waits for both lists on its page, so that no request is pending. */
export const readProtocol = async (page: Page): Promise<void> => {
  await firstRow(page, 'Protocols').click();
  await expect(firstRow(page, 'Assignments')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Inspection points' }).getByRole('listitem').first()).toBeVisible();
};

/** Opens the first assignment of the first protocol. */
export const openAssignment = async (page: Page): Promise<void> => {
  await readProtocol(page);
  await firstRow(page, 'Assignments').click();
  await expect(page.getByRole('heading', { name: 'Upload documents' })).toBeVisible();
};

/** Starts the upload that is shown before it begins, once everything about it is known. */
export const startUpload = async (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Start upload' }).click();

/** Uploads `folder` to the assignment that is open, and arrives at the upload's page. */
export const uploadFolder = async ({ page, chooseFolder }: Driver, folder: string): Promise<void> => {
  await chooseFolder(() => page.getByRole('button', { name: 'Choose folder' }).click(), folder);
  await startUpload(page);
  await expect(page.getByRole('heading', { level: 1, name: basename(folder) })).toBeVisible();
};

/** Presses the button that removes the first of the known files of the assignment that is open, and waits for the question. */
export const askToRemoveFile = async (page: Page): Promise<void> => {
  const files = page.getByRole('grid', { name: 'Files on this assignment' });
  await files
    .getByRole('button', { name: /^Remove / })
    .first()
    .click();
  await page.getByRole('alertdialog').waitFor();
};

/** Opens the dialog that exports the table in view, for CSV; `part`: without the rows that are not loaded. */
export const openExport = async (page: Page, part?: 'part'): Promise<Locator> => {
  await page.getByRole('button', { name: 'Export…' }).filter({ visible: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await dialog.getByRole('radio', { name: /^CSV/ }).check();
  if (part) await dialog.getByRole('checkbox', { name: 'Load the rest first' }).uncheck();
  return dialog.getByRole('button', { name: 'Export' });
};

/** Text that can be seen: pages that were left stay in the document, hidden, and may say the same. */
export const shown = (page: Page, text: string | RegExp) =>
  page.getByText(text, { exact: true }).filter({ visible: true });

/** Opens a part of the app by the navigation. */
export const openSection = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
};

/**
 * Has `done` come into view, and presses `button` for it whenever it is there. An automatic retry may remove the
 * button at any moment, even while it is being pressed.
 */
export const pressUntil = (button: Locator, done: Locator): Promise<void> =>
  expect(async () => {
    if (await button.isVisible()) await button.click({ timeout: 1_000 }).catch(() => {});
    await expect(done).toBeVisible({ timeout: 2_000 });
  }).toPass();
