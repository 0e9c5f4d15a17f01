// @ts-check
/** Draws `build/icon.png`, from which electron-builder makes every system's icons, from `build/icon.svg`. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { findInstalledChromium } from './chromium.mjs';

/** @param {string} path */
const at = (path) => fileURLToPath(new URL(`../build/${path}`, import.meta.url));

const browser = await chromium.launch({ executablePath: findInstalledChromium() ?? chromium.executablePath() });
const page = await browser.newPage({ viewport: { width: 1024, height: 1024 } });
await page.setContent(`<style>body { margin: 0 }</style>${await readFile(at('icon.svg'), 'utf8')}`);
await page.screenshot({ path: at('icon.png'), omitBackground: true });
await browser.close();
