import { EventEmitter } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { overwriteLine, plain, toJson, writeLine, writePieces, writeText } from './terminal.ts';

/** Texts with characters that could control a terminal. */
const hostile = fc.oneof(
  fc.constantFrom(
    '\u001b[2J',
    '\u009b2J',
    '\u202e',
    '\u2066',
    '\u200b',
    '\ufeff',
    '\u{e0001}',
    '\r',
    '\n',
    '\u2028',
    '\ud800',
  ),
  fc.string({ unit: 'binary' }),
);
const texts = fc.array(hostile).map((pieces) => pieces.join(''));

test('A9: a line contains no control characters, no format characters and no line breaks', () => {
  fc.assert(fc.property(texts, (text) => !/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(plain(text))));
  expect(plain('a\u001b[31mb\tc\nd\u202egpj.exe Ångström 現場')).toBe('a�[31mb c d�gpj.exe Ångström 現場');
});

test('A9: every writer adds only line breaks, and on a terminal its own two control characters', () => {
  fc.assert(
    fc.property(texts, (text) => {
      let written = '';
      const stream = { write: (piece: string) => (written += piece) };
      writeLine(stream, text);
      writeText(stream, text);
      overwriteLine(stream, text);
      expect(written.replace('\r\u001b[K', '')).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
    }),
  );
});

test('A9: JSON keeps its data and contains no such characters', () => {
  fc.assert(
    fc.property(texts, fc.jsonValue(), (text, value) => {
      const json = toJson({ text, value });
      expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify({ text, value })));
      expect(json).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
    }),
  );
});

test('A9: nothing else in the app writes to the terminal', () => {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const files = ['main', 'contract', 'preload']
    .flatMap((part) =>
      readdirSync(join(root, part), { recursive: true, encoding: 'utf8' }).map((name) => join(part, name)),
    )
    .filter((name) => /(?<!\.test)\.ts$/.test(name));
  const matching = (pattern: RegExp) =>
    files
      .filter((name) => pattern.test(readFileSync(join(root, name), 'utf8')))
      .map((name) => name.replaceAll('\\', '/'));
  expect(files.length).toBeGreaterThan(100);
  // `terminal.ts` does all writing; `run-cli.ts` only waits until the buffer of a stream is empty.
  expect(matching(/\b(?:stdout|stderr|stream)\??\.write\b/).sort()).toEqual([
    'main/hosts/headless/run-cli.ts',
    'main/hosts/shared/terminal.ts',
  ]);
  expect(matching(/\bconsole\.|writeSync\(\s*[12]\b|\/dev\/(?:tty|std)/)).toEqual([]);
});

test('writing in pieces waits for the reader, and stops when the reader has gone', async () => {
  const stream = Object.assign(new EventEmitter(), {
    written: 0,
    isAhead: false,
    write: () => {
      expect(stream.isAhead).toBe(false);
      stream.isAhead = true;
      stream.written += 1;
      queueMicrotask(() => {
        stream.isAhead = false;
        stream.emit(stream.written === 3 ? 'close' : 'drain');
      });
      return false;
    },
  });
  let given = 0;
  const pieces = async function* () {
    for (; given < 1000; given += 1) yield 'x'.repeat(10_000);
  };
  await writePieces(stream, pieces());
  expect(stream.written).toBe(3);
  expect(given).toBeLessThan(10);
  expect(stream.eventNames()).toEqual([]);
});
