import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { ElectronDriver } from './support/electron-driver.ts';
import { firstRow, signIn } from './support/steps.ts';
import { expect, test } from './support/test.ts';

test('A5: quits while a drive never answers, and opens its data again', async ({ launch, home }) => {
  test.skip(process.platform === 'win32', 'what stands for the drive is a pipe without a writer');
  const pipe = join(home, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const desk = (await launch()) as ElectronDriver;
  await signIn(desk);
  // Waits like an `open` on a network drive that is gone: in a thread of the pool, in a system call that never ends.
  await desk.app.evaluate((_, path) => process.getBuiltinModule('node:fs').open(path, () => {}), pipe);
  expect(await desk.app.evaluate(() => process.getActiveResourcesInfo())).toContain('FSReqCallback');

  const ended = once(desk.app.process(), 'exit');
  await desk.app.evaluate(({ app }) => setImmediate(() => app.quit()));
  await ended;

  // The data directory is complete, and no process locks it any more.
  const again = (await launch()) as ElectronDriver;
  const signInButton = again.page.getByRole('button', { name: 'Sign in' }).filter({ visible: true });
  // If there is a keychain, the user is still signed in.
  await expect(signInButton.or(firstRow(again.page, 'Protocols'))).toBeVisible();
  await again.close();
});
