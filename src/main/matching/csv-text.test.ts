import { expect, test } from 'vitest';
import { csvText } from './csv-text.ts';

const text = 'folder;assignment\r\nMalmö 5 – källare;1\r\n';
const utf16 = Buffer.from(`\uFEFF${text}`, 'utf16le');
/** The dash is 0x96 in the code page, and the other letters are those of Latin-1. */
const codePage = Buffer.from(text.replace('–', '\u0096'), 'latin1');

test.each([
  ['UTF-8', Buffer.from(text)],
  ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${text}`)],
  ['UTF-16, as "Unicode text"', utf16],
  ['UTF-16 with its bytes swapped', Buffer.from(utf16).swap16()],
  ['the code page of western Windows', codePage],
])('reads what a spreadsheet has saved in %s', (_, bytes) => expect(csvText(bytes)).toBe(text));

test('an empty file has no text', () => expect(csvText(new Uint8Array())).toBe(''));
