// @ts-check
/** Draws `build/icon.png` (Linux), `icon.ico` (Windows) and `icon.icns` (macOS) from `build/icon.svg`. */
import './right-node.mjs';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { findInstalledChromium } from './chromium.mjs';
import { icnsTypes, icoSizesPx, toIcns, toIco } from './icon-files.mjs';

/** @param {string} path */
const at = (path) => fileURLToPath(new URL(`../build/${path}`, import.meta.url));

const svg = await readFile(at('icon.svg'), 'utf8');
const browser = await chromium.launch({ executablePath: findInstalledChromium() ?? chromium.executablePath() });

/** @param {number} sizePx @returns {Promise<import('./icon-files.mjs').Drawing>} */
const draw = async (sizePx) => {
  const page = await browser.newPage({ viewport: { width: sizePx, height: sizePx } });
  await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${svg}`);
  const png = await page.screenshot({ omitBackground: true });
  await page.close();
  return { sizePx, png };
};

/** @type {import('./icon-files.mjs').Drawing[]} */
const drawings = [];
for (const sizePx of new Set([...icoSizesPx, ...Object.values(icnsTypes)])) drawings.push(await draw(sizePx));
await browser.close();

await writeFile(at('icon.ico'), toIco(drawings.filter(({ sizePx }) => icoSizesPx.includes(sizePx))));
await writeFile(at('icon.icns'), toIcns(drawings));
for (const { sizePx, png } of drawings) if (sizePx === 1024) await writeFile(at('icon.png'), png);
