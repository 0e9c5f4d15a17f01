/**
 * Reads PDFs as Chromium writes them: with compressed streams, and texts as numbers of glyphs, which the fonts map to
 * characters.
 */
import { constants, inflateSync } from 'node:zlib';

/** The line break after a stream can be mistaken for its last byte. */
const lenient = { finishFlush: constants.Z_SYNC_FLUSH };

/** The texts of the PDF, page by page, in drawing order. */
export const pdfPages = (bytes: Buffer): readonly string[] => {
  const file = bytes.toString('latin1');
  const objects = new Map(
    [...file.matchAll(/(\d+) 0 obj\s([\s\S]*?)\sendobj/g)].map(([, id, body = '']) => [id, body]),
  );
  const object = (id: string | undefined): string => objects.get(id ?? '') ?? '';
  const pages = [...objects.values()].filter((body) => /\/Type\s*\/Page\b/.test(body));
  return pages.map((page) => {
    const resources = object(/\/Resources (\d+) 0 R/.exec(page)?.[1]) || page;
    const fontList = /\/Font\s*<<(.*?)>>/s.exec(resources)?.[1] ?? '';
    const fonts = new Map(
      [...fontList.matchAll(/\/(\S+) (\d+) 0 R/g)].map(([, name, id]) => {
        return [name, glyphsOf(content(object(/\/ToUnicode (\d+) 0 R/.exec(object(id))?.[1])))] as const;
      }),
    );
    const drawn = content(object(/\/Contents (\d+) 0 R/.exec(page)?.[1]));
    let glyphs: ReadonlyMap<number, string> = new Map();
    return [...drawn.matchAll(/\/(\S+) [\d.]+ Tf|<([0-9a-f]+)>|(T[jJ]|ET)/gi)]
      .map(([, font, hex, end]) => {
        if (font !== undefined) glyphs = fonts.get(font) ?? new Map();
        if (end === 'ET') return ' ';
        return (hex?.match(/.{4}/g) ?? []).map((code) => glyphs.get(Number.parseInt(code, 16)) ?? '').join('');
      })
      .join('');
  });
};

const content = (body: string): string => {
  const stream = /stream\r?\n([\s\S]*?)\r?\nendstream/.exec(body)?.[1] ?? '';
  const bytes = Buffer.from(stream, 'latin1');
  return (body.includes('/FlateDecode') ? inflateSync(bytes, lenient) : bytes).toString('latin1');
};

/** The characters of a font's glyphs (PDF 32000-1, 9.10.3). */
const glyphsOf = (cmap: string): ReadonlyMap<number, string> => {
  const glyphs = new Map<number, string>();
  const text = (hex: string, offset = 0): string =>
    String.fromCodePoint(...(hex.match(/.{4}/g) ?? []).map((code) => Number.parseInt(code, 16) + offset));
  for (const [, list = ''] of cmap.matchAll(/beginbfchar(.*?)endbfchar/gs)) {
    for (const [, from = '', to = ''] of list.matchAll(/<(\w+)>\s*<(\w+)>/g))
      glyphs.set(Number.parseInt(from, 16), text(to));
  }
  for (const [, list = ''] of cmap.matchAll(/beginbfrange(.*?)endbfrange/gs)) {
    for (const [, first = '', last = '', to = ''] of list.matchAll(/<(\w+)>\s*<(\w+)>\s*<(\w+)>/g)) {
      const from = Number.parseInt(first, 16);
      for (let code = from; code <= Number.parseInt(last, 16); code += 1) glyphs.set(code, text(to, code - from));
    }
  }
  return glyphs;
};
