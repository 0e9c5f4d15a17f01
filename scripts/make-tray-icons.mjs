// @ts-check
/**
 * Draws the icons of `build/tray` for small sizes: the sheet of `build/icon.svg` with a sign for the state of uploads.
 */
import './right-node.mjs';
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { findInstalledChromium } from './chromium.mjs';

const folder = fileURLToPath(new URL('../build/tray', import.meta.url));

const signs = {
  idle: 'M5.6 9 l1.7 1.7 l3.2 -3.6',
  uploading: 'M8 11.6 V6.8 M5.8 8.8 L8 6.6 l2.2 2.2',
  attention: 'M8 6.4 v3 M8 11.6 v0.1',
};
const colours = { idle: '#0f6cbd', uploading: '#0f6cbd', attention: '#bc4b09' };

/** @param {string} content */
const svg = (content) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">${content}</svg>`;
/** @param {string} path @param {string} colour */
const stroke = (path, colour) =>
  `<path d="${path}" fill="none" stroke="${colour}" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round"/>`;

/**
 * Draws an icon as a white sheet on a coloured square.
 * @param {keyof typeof signs} name
 */
const coloured = (name) =>
  svg(
    `<rect x="0.5" y="0.5" width="15" height="15" rx="3.4" fill="${colours[name]}"/><rect x="3.5" y="3.2" width="9" height="10.6" rx="1.4" fill="#fff"/><rect x="5.7" y="1.9" width="4.6" height="2.5" rx="1.2" fill="#0c3b5e"/>${stroke(signs[name], colours[name])}`,
  );

/**
 * Draws a template icon, which macOS colours.
 * @param {keyof typeof signs} name
 */
const template = (name) =>
  svg(
    `<rect x="2.8" y="2.6" width="10.4" height="12" rx="1.8" fill="none" stroke="#000" stroke-width="1.3"/><rect x="5.4" y="1.2" width="5.2" height="2.8" rx="1.3"/>${stroke(signs[name], '#000')}`,
  );

const overlay = svg(
  '<circle cx="8" cy="8" r="7.5" fill="#bc4b09"/><path d="M8 4 v5 M8 11.8 v0.1" stroke="#fff" stroke-width="2.2" stroke-linecap="round"/>',
);

const names = /** @type {const} */ (['idle', 'uploading', 'attention']);
const images = [
  ...names.map((name) => ({ file: name, content: coloured(name) })),
  ...names.map((name) => ({ file: `${name}Template`, content: template(name) })),
  { file: 'overlay', content: overlay },
];
await mkdir(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: findInstalledChromium() ?? chromium.executablePath() });
for (const [scale, suffix] of /** @type {const} */ ([
  [1, ''],
  [1.5, '@1.5x'],
  [2, '@2x'],
])) {
  const page = await browser.newPage({ viewport: { width: 16, height: 16 }, deviceScaleFactor: scale });
  for (const { file, content } of images) {
    await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${content}`);
    await page.screenshot({ path: `${folder}/${file}${suffix}.png`, omitBackground: true });
  }
  await page.close();
}
await browser.close();
