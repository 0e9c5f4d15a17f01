/** Finds out which hosts can be tested on this machine. */
import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { findInstalledChromium } from '../../../scripts/chromium.mjs';
import { findElectron } from '../../../scripts/electron-binary.mjs';

export type HostName = 'electron' | 'preview';

/** The path of an installed Chrome, Edge or Chromium, otherwise of Playwright's browser. */
export const chromiumPath = (): string => findInstalledChromium() ?? chromium.executablePath();

/** Why `host` cannot be tested here; undefined if it can. */
export const problemOf = (host: HostName): string | undefined => {
  if (host === 'preview') return existsSync(chromiumPath()) ? undefined : 'there is no Chromium';
  if (findElectron() === undefined) return 'there is no Electron binary';
  const hasDisplay = process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  return hasDisplay ? undefined : 'there is no display';
};
