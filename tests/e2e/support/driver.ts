/** What a test can do with the app, in any host. */
import type { Page } from '@playwright/test';

/** The user's decision on the consent page of the service. */
export type Decision = 'allow' | 'deny';

export type Driver = {
  readonly page: Page;
  /**
   * Calls `click`, which opens the system browser, and decides there. Resolves when the app has received the decision.
   */
  readonly decideInBrowser: (click: () => Promise<void>, decision: Decision) => Promise<void>;
  /** Calls `click`, which opens the folder picker, and chooses `folder` there. */
  readonly chooseFolder: (click: () => Promise<void>, folder: string) => Promise<void>;
  /** Calls `click`, which saves a file, and chooses `path` as its place. Resolves to the content of the file. */
  readonly saveFile: (click: () => Promise<void>, path: string) => Promise<string>;
  readonly close: () => Promise<void>;
};

export type Launch = {
  readonly home: string;
  /** Variables to add to the environment of this process. */
  readonly env: Readonly<Record<string, string>>;
  /** Options of Electron, for the desktop app. */
  readonly args?: readonly string[];
  /** The files and folders that the desktop app is started with. */
  readonly given?: readonly string[];
};
