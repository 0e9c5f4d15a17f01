// @ts-check
/**
 * Creates the contents of icon files, which contain an icon in several sizes as PNG: ICO for Windows, ICNS for macOS.
 */

/** @typedef {{ readonly sizePx: number, readonly png: Buffer }} Drawing */

/** The sizes in an ICO. 256 px is the largest size, and is written as 0. */
export const icoSizesPx = [16, 20, 24, 32, 40, 48, 64, 256];

/**
 * The types of entries in an ICNS that contain a PNG, with their sizes in px. The types from `ic11` on are for displays
 * with two pixels per point.
 */
export const icnsTypes = Object.freeze({
  icp4: 16,
  icp5: 32,
  ic07: 128,
  ic08: 256,
  ic09: 512,
  ic11: 32,
  ic12: 64,
  ic13: 256,
  ic14: 512,
  ic10: 1024,
});

/** @param {readonly Drawing[]} drawings one of each size in `icoSizesPx` @returns {Buffer} */
export const toIco = (drawings) => {
  const header = Buffer.alloc(6);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(drawings.length, 4);
  let offset = header.length + drawings.length * 16;
  const entries = drawings.map(({ sizePx, png }) => {
    const entry = Buffer.alloc(16);
    entry.writeUInt8(sizePx % 256, 0);
    entry.writeUInt8(sizePx % 256, 1);
    entry.writeUInt16LE(1, 4);
    entry.writeUInt16LE(32, 6);
    entry.writeUInt32LE(png.length, 8);
    entry.writeUInt32LE(offset, 12);
    offset += png.length;
    return entry;
  });
  return Buffer.concat([header, ...entries, ...drawings.map(({ png }) => png)]);
};

/** @param {string} type @param {readonly Buffer[]} content */
const chunk = (type, content) => {
  const header = Buffer.alloc(8, type, 'latin1');
  header.writeUInt32BE(8 + content.reduce((sum, { length }) => sum + length, 0), 4);
  return Buffer.concat([header, ...content]);
};

/** @param {readonly Drawing[]} drawings one of each size in `icnsTypes` @returns {Buffer} */
export const toIcns = (drawings) => {
  const chunks = Object.entries(icnsTypes).map(([type, sizePx]) => {
    const drawing = drawings.find((one) => one.sizePx === sizePx);
    if (!drawing) throw new Error(`no drawing of ${sizePx} px`);
    return chunk(type, [drawing.png]);
  });
  return chunk('icns', chunks);
};
