import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { installFinderService } from './finder-service.ts';

const resources = fileURLToPath(new URL('../../../../build', import.meta.url));
const name = 'Upload with Inspection Desk.workflow';
const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();

test("puts the service into the user's folder, replaces another version, and leaves the same one alone", async () => {
  const home = mkdtempSync(join(tmpdir(), 'finder-service-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const installed = join(home, 'Library', 'Services', name);
  await installFinderService({ resources, home });
  expect(filesIn(installed)).toEqual(filesIn(join(resources, name)));

  const plist = join(installed, 'Contents', 'Info.plist');
  writeFileSync(plist, 'an earlier version');
  writeFileSync(join(installed, 'Contents', 'obsolete'), '');
  await installFinderService({ resources, home });
  expect(readFileSync(plist, 'utf8')).toContain('<string>runWorkflowAsService</string>');
  expect(filesIn(installed)).toEqual(filesIn(join(resources, name)));

  mkdirSync(join(installed, 'empty'));
  await installFinderService({ resources, home });
  expect(filesIn(installed)).toContain('empty');
});
