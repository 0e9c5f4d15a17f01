/** The commands that the packages for Linux install, tested without a package. `npm run test:packages` installs one. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { Language } from '../../src/contract/preferences.ts';
import { makeDirectory } from './support/folders.ts';

const read = (path: string): string => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');
const entry = read('build/linux/sign-in.desktop');
const packing = load(read('electron-builder.yml')) as {
  readonly electronLanguages: readonly string[];
  readonly deb: { readonly fpm: readonly string[] };
};

const canRun = (command: string): boolean => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;

/** Creates a program that prints its arguments, one per line. */
const makeProgram = (path: string): void => {
  writeFileSync(path, '#!/bin/sh\nprintf "%s\\n" "$@"\n');
  chmodSync(path, 0o755);
};

test('xdg-open, without a desktop environment, hands the sign-in’s return to the command', ({ skip }) => {
  const [, command = ''] = /^Exec=(\S+) /m.exec(entry) ?? [];
  expect(packing.deb.fpm).toContain(`build/linux/inspection-desk.sh=${command}`);

  skip(!canRun('xdg-open'), 'needs xdg-utils');
  const home = makeDirectory();
  const program = join(home, 'inspection-desk');
  makeProgram(program);
  const applications = join(home, 'applications');
  mkdirSync(applications);
  writeFileSync(join(applications, 'sign-in.desktop'), entry.replace(command, program));
  const scheme = 'x-scheme-handler/com.inspectiondesk.app';
  writeFileSync(join(home, 'mimeapps.list'), `[Default Applications]\n${scheme}=sign-in.desktop\n`);
  const env = { PATH: process.env.PATH, HOME: home, DISPLAY: ':0', XDG_DATA_HOME: home, XDG_CONFIG_HOME: home };
  const address = 'com.inspectiondesk.app:/callback?code=a%20b&state=c';
  const { stdout } = spawnSync('xdg-open', [address], { env, encoding: 'utf8' });
  expect(stdout.trim().split('\n')).toEqual(['--', address]);
});

test.for([
  { DISPLAY: ':0', more: [] },
  { DISPLAY: '', more: ['--ozone-platform=headless'] },
])('the command keeps Chromium’s lines off standard error (display: "$DISPLAY")', ({ DISPLAY, more }, { skip }) => {
  skip(!canRun('sh'), 'needs a shell');
  const program = join(makeDirectory(), 'inspection-desk');
  makeProgram(program);
  const script = read('build/linux/inspection-desk.sh').replace('/opt/Inspection Desk/inspection-desk', program);
  const env = { PATH: process.env.PATH, DISPLAY };
  const { stdout } = spawnSync('sh', ['-c', script, 'inspection-desk', 'status', '--json'], {
    env,
    encoding: 'utf8',
  });
  expect(stdout.trim().split('\n')).toEqual(['--log-level=3', ...more, 'status', '--json']);
});

test('of Chromium’s languages, only the app’s are packed', () => {
  const packed = packing.electronLanguages.map((language) => language.replace('en-US', 'en'));
  expect(packed.toSorted()).toEqual(Language.options.toSorted());
});
