/** What a test can do with the app, whichever host it runs in. */
import type { Page } from '@playwright/test';

/** What the person answers on the service's consent page. */
export type Decision = 'allow' | 'deny';

export type Driver = {
  readonly page: Page;
  /** Does `click`, which opens the system browser, and there decides. Resolves when the app has the answer. */
  readonly decideInBrowser: (click: () => Promise<void>, decision: Decision) => Promise<void>;
  /** Does `click`, which opens the folder picker, and there chooses `folder`. */
  readonly chooseFolder: (click: () => Promise<void>, folder: string) => Promise<void>;
  /** Does `click`, which saves a file, saves it at `path`, and returns its content. */
  readonly saveFile: (click: () => Promise<void>, path: string) => Promise<string>;
  readonly close: () => Promise<void>;
};

export type Launch = {
  readonly home: string;
  /** Environment of the app beside this process's own. */
  readonly env: Readonly<Record<string, string>>;
  /** Options of Electron, on the desktop. */
  readonly args?: readonly string[];
  /** The files and folders that the desktop app is started with. */
  readonly given?: readonly string[];
};
