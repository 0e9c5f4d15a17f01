/**
 * Splits a JSON list into its items as it is received, so that the whole text is never in memory. This module only
 * finds where items end. The caller parses each item, and the text around the items, with `JSON.parse`.
 */
import { tooLarge } from '../net/exchange.ts';
import { jsonIn } from '../net/translate.ts';

type JsonListOptions = {
  /** The field of the outermost object that contains the list. Absent: the whole text is the list. */
  readonly field?: string | undefined;
  /** Called with the text of each item. The text is empty where an item is missing, as in `[1,,2]`. */
  readonly onItem: (text: string) => void;
  /** The maximum size of an item, and of the text around the items. */
  readonly maxPartBytes: number;
};

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
/** How many levels deeper the text is after each structural character. */
const DEEPER = new Map([
  [COMMA, 0],
  [COLON, 0],
  [OPEN_LIST, 1],
  [CLOSE_LIST, -1],
  [OPEN_OBJECT, 1],
  [CLOSE_OBJECT, -1],
]);
/** Whether each byte is a structural character. Every byte of a list is looked up, so this is a typed array. */
const IS_STRUCTURE = Uint8Array.from({ length: 256 }, (_, byte) => Number(DEEPER.has(byte)));

/**
 * The maximum number of bytes of a field name that are compared. The names of fields with lists are shorter, even with
 * every character escaped.
 */
const LONGEST_NAME_BYTES = 128;

export const createJsonList = ({ field, onItem, maxPartBytes }: JsonListOptions) => {
  const listDepth = field === undefined ? 1 : 2;
  const item = createText(maxPartBytes);
  const frame = createText(maxPartBytes);
  let where: 'before' | 'inside' | 'after' = 'before';
  let depth = 0;
  let isFirst = true;
  let isInString = false;
  let isEscaped = false;
  /** The first bytes of the last string in the outermost object. The string is a field name if a colon follows. */
  let name = '';
  let isExpected = field === undefined;

  const endItem = (sign: number, text: string): void => {
    if (sign === COMMA || !isFirst || text.trim() !== '') onItem(text);
    isFirst = false;
  };

  /**
   * Handles the structural character at `end - 1`. Returns the start of the text that was added neither to an item nor
   * to the frame.
   */
  const structure = (sign: number, part: Buffer, begin: number, end: number): number => {
    if (where === 'inside' && depth === listDepth && (sign === COMMA || sign === CLOSE_LIST)) {
      endItem(sign, item.take(part, begin, end - 1));
      if (sign === COMMA) return end;
      where = 'after';
      depth -= 1;
      return end - 1;
    }
    depth += DEEPER.get(sign) ?? 0;
    if (isExpected && sign === OPEN_LIST && depth === listDepth) {
      frame.add(part, begin, end);
      where = 'inside';
      return end;
    }
    isExpected =
      where === 'before' && sign === COLON && depth === 1 && jsonIn(Buffer.from(name, 'latin1').toString()) === field;
    return begin;
  };

  /**
   * Passes over the string that the byte at `begin` of the part belongs to. Returns where the string, or the part, ends.
   * `chars`: the part with one character for each byte, which is searched several times faster than the bytes.
   */
  const string = (chars: string, begin: number): number => {
    let at = begin;
    while (isInString && at < chars.length) {
      const quote = chars.indexOf('"', at);
      const end = quote < 0 ? chars.length : quote;
      const escapes = isEscapedAt(chars, at, end, isEscaped);
      isInString = quote < 0 || escapes;
      // Without a quote, what may be escaped is the first character of the next part.
      isEscaped = quote < 0 && escapes;
      at = Math.min(end + 1, chars.length);
    }
    if (where === 'before' && depth === 1 && name.length < LONGEST_NAME_BYTES)
      name += chars.slice(begin, Math.min(at, begin + LONGEST_NAME_BYTES));
    return at;
  };

  return {
    /**
     * Adds the next bytes.
     * @throws DeskError `service/too-large`; errors of `onItem`
     */
    take: (part: Buffer): void => {
      const chars = part.toString('latin1');
      let begin = 0;
      let at = string(chars, 0);
      while (at < chars.length) {
        const byte = chars.charCodeAt(at);
        at += 1;
        if (byte === QUOTE) {
          isInString = true;
          name = '"';
          at = string(chars, at);
        } else if (IS_STRUCTURE[byte]) begin = structure(byte, part, begin, at);
      }
      (where === 'inside' ? item : frame).add(part, begin, part.length);
    },
    /**
     * Returns the text around the items: `[]`, or an object with an empty list. To be called after the last part. If
     * the list has not ended, the text is not JSON, because the list's closing bracket is missing.
     */
    frame: (): string => frame.take(NOTHING, 0, 0),
  };
};

/**
 * Whether the character at `end` of a string is escaped: an odd number of backslashes precedes it. `begin`: the start of
 * what is known of the string, whose first character is escaped if `isFirstEscaped`.
 */
const isEscapedAt = (chars: string, begin: number, end: number, isFirstEscaped: boolean): boolean => {
  let first = end;
  while (first > begin && chars.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return (end - first + (isFirstEscaped && first === begin ? 1 : 0)) % 2 === 1;
};

const NOTHING = Buffer.alloc(0);

const createText = (maxPartBytes: number) => {
  let pieces: Buffer[] = [];
  let sizeBytes = 0;
  const count = (bytes: number): void => {
    sizeBytes += bytes;
    if (sizeBytes > maxPartBytes) throw tooLarge({ maxPartBytes });
  };
  return {
    add: (part: Buffer, begin: number, end: number): void => {
      count(end - begin);
      // A copy, because a view would keep the whole part in memory.
      if (end > begin) pieces.push(Buffer.from(part.subarray(begin, end)));
    },
    /** Returns the text of everything that was added, and of these bytes. */
    take: (part: Buffer, begin: number, end: number): string => {
      count(end - begin);
      const rest = part.subarray(begin, end);
      const text =
        pieces.length === 0 ? part.toString('utf8', begin, end) : Buffer.concat([...pieces, rest]).toString();
      pieces = [];
      sizeBytes = 0;
      return text;
    },
  };
};
