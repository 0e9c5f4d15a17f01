/** Measures the cost of an upload in the renderer: the tasks in Chromium's trace, and the updates of its store. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { z } from 'zod';
import { makeFolder } from '../../tests/e2e/support/make-folder.ts';
import type { MeasuredApp } from './app.ts';

type Uploading = {
  readonly seconds: number;
  /** The duration of each task of the renderer's main thread, in ms. */
  readonly tasks: readonly number[];
  /** The times of the events about uploads, in ms; each event updates the store once. */
  readonly updates: readonly number[];
};

const TraceEvent = z.object({
  name: z.string(),
  ph: z.string(),
  pid: z.number(),
  tid: z.number(),
  dur: z.number().optional(),
  args: z.record(z.string(), z.unknown()).optional(),
});
const Trace = z.object({ traceEvents: z.array(TraceEvent) });

/**
 * Uploads `files` files from the page of an assignment, and traces the renderer's tasks while the page shows the
 * upload.
 */
export const measureUploading = async (measured: MeasuredApp, files: number): Promise<Uploading> => {
  const { app, driver, scratch } = measured;
  const page = measured.page();
  const folder = join(scratch, 'Documents');
  await makeFolder(folder, files);
  await openAssignment(page);
  await page.evaluate(recordUpdates);
  await app.evaluate(({ contentTracing }) => contentTracing.startRecording({ included_categories: ['toplevel'] }));
  const begun = performance.now();
  await driver.chooseFolder(() => page.getByRole('button', { name: 'Choose folder' }).click(), folder);
  // If the assignment expects no more files, the button says "Upload anyway".
  await page.getByRole('button', { name: /^(Start upload|Upload anyway)$/ }).click();
  await page
    .getByText(`${files.toLocaleString('en')} uploaded`, { exact: true })
    .first()
    .waitFor({ timeout: 600_000 });
  const seconds = (performance.now() - begun) / 1000;
  const [path, pid] = await app.evaluate(async ({ contentTracing, BrowserWindow }) => [
    await contentTracing.stopRecording(),
    BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId(),
  ]);
  const tasks = rendererTasks(JSON.parse(await readFile(path, 'utf8')), Number(pid));
  return { seconds, tasks, updates: await page.evaluate(() => window.updates ?? []) };
};

declare global {
  interface Window {
    updates: number[] | undefined;
  }
}

const openAssignment = async (page: Page): Promise<void> => {
  await page.locator('[data-row]').first().click();
  await page.getByRole('table', { name: 'Assignments' }).locator('[data-row="0"]').click();
  await page.getByRole('button', { name: 'Choose folder' }).waitFor();
};

/** Runs in the page. */
const recordUpdates = (): void => {
  const updates: number[] = [];
  window.updates = updates;
  window.inspectionDesk.onEvent((event) => {
    if ((event as { readonly type?: unknown }).type === 'batches') updates.push(performance.now());
  });
};

const rendererTasks = (json: unknown, pid: number): readonly number[] => {
  const events = Trace.parse(json).traceEvents.filter((event) => event.pid === pid);
  const main = events.find(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain');
  return events
    .filter(({ name, ph, tid }) => name.endsWith('RunTask') && ph === 'X' && tid === main?.tid)
    .map(({ dur = 0 }) => dur / 1000);
};

/** The maximum number of `times` (in ms) within any one second. */
export const mostInASecond = (times: readonly number[]): number =>
  Math.max(0, ...times.map((from) => times.filter((at) => at >= from && at < from + 1000).length));
