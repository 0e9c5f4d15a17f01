/** What a person does in the app, in the words of its screens. */
import { basename } from 'node:path';
import type { Page } from '@playwright/test';
import type { Driver } from './driver.ts';
import { expect } from './test.ts';

/** Signs in. */
export const allowSignIn = ({ page, decideInBrowser }: Driver): Promise<void> =>
  decideInBrowser(() => page.getByRole('button', { name: 'Sign in' }).filter({ visible: true }).click(), 'allow');

/** Signs in and arrives at the protocols. */
export const signIn = async (desk: Driver): Promise<void> => {
  await allowSignIn(desk);
  await expect(desk.page.getByRole('table', { name: 'Protocols' })).toBeVisible();
};

/** Opens the first assignment of the first protocol. */
export const openAssignment = async (page: Page): Promise<void> => {
  await page.getByRole('table', { name: 'Protocols' }).locator('[data-row="0"]').click();
  await page.getByRole('table', { name: 'Assignments' }).locator('[data-row="0"]').click();
  await expect(page.getByRole('heading', { name: 'Upload documents' })).toBeVisible();
};

/** Agrees to the upload that is shown before it begins. */
export const startUpload = async (page: Page): Promise<void> =>
  page.getByRole('dialog').getByRole('button', { name: 'Upload' }).click();

/** Uploads `folder` to the assignment that is open, and arrives at the upload's page. */
export const uploadFolder = async ({ page, chooseFolder }: Driver, folder: string): Promise<void> => {
  await chooseFolder(() => page.getByRole('button', { name: 'Choose folder' }).click(), folder);
  await startUpload(page);
  await expect(page.getByRole('heading', { level: 1, name: basename(folder) })).toBeVisible();
};

/** Text that can be seen: pages that were left stay in the document, hidden, and may say the same. */
export const shown = (page: Page, text: string) => page.getByText(text, { exact: true }).filter({ visible: true });

/** Opens a part of the app by the navigation. */
export const openSection = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
};
