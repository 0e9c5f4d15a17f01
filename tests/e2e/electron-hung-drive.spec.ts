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
  // As a plain `open` waits for a network drive that has gone: in a thread of the pool, in a system call without an end.
  await desk.app.evaluate((_, path) => process.getBuiltinModule('node:fs').open(path, () => {}), pipe);
  expect(await desk.app.evaluate(() => process.getActiveResourcesInfo())).toContain('FSReqCallback');

  const ended = once(desk.app.process(), 'exit');
  await desk.app.evaluate(({ app }) => setImmediate(() => app.quit()));
  await ended;

  // What the window was last told lies on the disk, and nothing holds it.
  const again = (await launch()) as ElectronDriver;
  const signInButton = again.page.getByRole('button', { name: 'Sign in' }).filter({ visible: true });
  // Where there is a keychain, the session is remembered.
  await expect(signInButton.or(firstRow(again.page, 'Protocols'))).toBeVisible();
  await again.close();
});
