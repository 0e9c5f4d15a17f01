/** What a user does in the app, with the English names of its screens. */
import { basename } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import type { Driver } from './driver.ts';

/** The table with this name. A table with selectable rows has the role `grid`. */
export const tableNamed = (page: Page, name: string): Locator =>
  page.getByRole('table', { name }).or(page.getByRole('grid', { name }));

/** The first row of `table`, which appears later than the table. */
export const firstRow = (page: Page, table: string): Locator => tableNamed(page, table).locator('[data-row="0"]');

/** The sign-in button of the page, not that of the navigation. */
export const signInButton = (page: Page): Locator =>
  page.getByRole('main').getByRole('button', { name: 'Sign in' }).filter({ visible: true });

export const allowSignIn = ({ page, decideInBrowser }: Driver): Promise<void> =>
  decideInBrowser(() => signInButton(page).click(), 'allow');

export const signIn = async (desk: Driver): Promise<void> => {
  await allowSignIn(desk);
  await expect(firstRow(desk.page, 'Protocols')).toBeVisible();
};

export const signOut = async (page: Page): Promise<void> => {
  await page.getByRole('banner').getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('alertdialog', { name: 'Sign out?' }).getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
};

/** Opens the first protocol and waits for both lists on its page, so that no request is pending. */
export const readProtocol = async (page: Page): Promise<void> => {
  await firstRow(page, 'Protocols').click();
  await firstRow(page, 'Assignments').waitFor();
  await page.getByRole('region', { name: 'Inspection points' }).getByRole('listitem').first().waitFor();
};

/**
 * Makes everything available offline, on the page of the overview. Otherwise the app reads the assignments of more
 * protocols 20 seconds after the sign-in, and then shows more assignments.
 */
export const readEverything = async (page: Page): Promise<void> => {
  await openSection(page, 'Overview');
  const offline = page.getByRole('region', { name: 'Available offline' });
  await offline.getByRole('button', { name: 'Make everything available offline' }).click();
  await expect(offline.getByText(/^Everything is available offline, updated/)).toBeVisible();
};

/** Opens the first assignment of the first protocol. */
export const openAssignment = async (page: Page): Promise<void> => {
  await readProtocol(page);
  await firstRow(page, 'Assignments').click();
  await page.getByRole('heading', { name: 'Upload documents' }).waitFor();
};

/** Starts the upload in review, once its files are known. */
export const startUpload = async (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Start upload' }).click();

/** Uploads `folder` to the open assignment, and waits for the page of the upload. */
export const uploadFolder = async ({ page, chooseFolder }: Driver, folder: string): Promise<void> => {
  await chooseFolder(() => page.getByRole('button', { name: 'Choose folder' }).click(), folder);
  await startUpload(page);
  await expect(page.getByRole('heading', { level: 1, name: basename(folder) })).toBeVisible();
};

/** Clicks the button that removes the first known file of the open assignment, and waits for the question. */
export const askToRemoveFile = async (page: Page): Promise<void> => {
  const files = page.getByRole('grid', { name: 'Files on this assignment' });
  await files
    .getByRole('button', { name: /^Remove / })
    .first()
    .click();
  await page.getByRole('alertdialog').waitFor();
};

/**
 * Opens the dialog for exporting the visible table, and chooses CSV. `part`: only the rows that are loaded. Resolves to
 * the button of the dialog.
 */
export const openExport = async (page: Page, part?: 'part'): Promise<Locator> => {
  await page.getByRole('button', { name: 'Export…' }).filter({ visible: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await dialog.getByRole('radio', { name: /^CSV/ }).check();
  if (part) await dialog.getByRole('checkbox', { name: 'Load the rest first' }).uncheck();
  return dialog.getByRole('button', { name: 'Export' });
};

/** A visible text. Hidden pages, which stay in the document, may have the same text. */
export const shown = (page: Page, text: string | RegExp) =>
  page.getByText(text, { exact: true }).filter({ visible: true });

export const openSection = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
};

/**
 * Clicks `button` whenever it is visible, until `done` is visible. An automatic retry may remove the button at any
 * moment, even during the click.
 */
export const pressUntil = (button: Locator, done: Locator): Promise<void> =>
  expect(async () => {
    if (await button.isVisible()) await button.click({ timeout: 1_000 }).catch(() => {});
    await expect(done).toBeVisible({ timeout: 2_000 });
  }).toPass();
