/** Runs the command line in the installed program, without a window. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { app, shell } from 'electron';
import { attempt } from 'es-toolkit/util/attempt';
import { cachePaths, defaultHome, makeHome } from '../../data/data-directory.ts';
import { flushOutput, runInProcess } from '../headless/run-cli.ts';
import { EXIT } from '../shared/exit-codes.ts';
import { parseHostOptions } from '../shared/host-options.ts';
import { reportBug, watchOutput } from '../shared/terminal.ts';
import { electronParts, readDesktopPolicy } from './electron-parts.ts';
import { silenceChromium } from './lock-down.ts';

/** Returns a folder for Chromium's files, separate from the folder of an open window. */
const browserFolder = (home: string): string => {
  const { browserOfCommands } = cachePaths(home);
  try {
    makeHome(browserOfCommands);
    return browserOfCommands;
  } catch {
    // A command that needs the data directory reports why the directory cannot be used.
    const folder = mkdtempSync(join(tmpdir(), 'inspection-desk-'));
    // Chromium may still be writing in the folder. An error thrown while the process exits would change its exit code.
    process.once('exit', () => attempt(() => rmSync(folder, { recursive: true, force: true })));
    return folder;
  }
};

export const runCommand = (args: readonly string[]): void => {
  // Without these listeners Electron would show a dialog, which blocks a script.
  const onBug = (error: unknown): void => {
    reportBug(error);
    void flushOutput().then(() => app.exit(EXIT.bug));
  };
  watchOutput();
  process.on('uncaughtException', onBug);
  process.on('unhandledRejection', onBug);
  app.dock?.hide();
  silenceChromium();
  // Standard error is for users: it shows only Chromium's fatal messages, and none about a missing graphics card.
  app.commandLine.appendSwitch('log-level', '3');
  app.commandLine.appendSwitch('disable-gpu');
  app.setPath('sessionData', browserFolder(parseHostOptions(args, process.env).home ?? defaultHome()));
  const parts = { ...electronParts(), browse: shell.openExternal };
  // Electron's signal handlers quit the app with exit code 0. Instead, the first quit stops the command, which then
  // sets the exit code, and a second quit ends the process.
  const quit = new AbortController();
  app.on('before-quit', (event) => {
    event.preventDefault();
    if (quit.signal.aborted) app.exit(EXIT.interrupted);
    quit.abort();
  });
  app
    .whenReady()
    .then(() => runInProcess(args, parts, readDesktopPolicy, quit.signal))
    .then((code) => app.exit(code), onBug);
};
