/**
 * Splits a JSON list into its items while it is received, so that the list is never in memory as a whole. Only the ends of
 * items are found here; `JSON.parse` decides whether each is JSON.
 */

type JsonList = {
  readonly take: (part: Buffer) => void;
  /** The text around the items, after the last part: `[]`, or an object with an empty list. */
  readonly frame: () => string;
};

type JsonListOptions = {
  /** The field of the outermost object with the list. Absent: the whole text is the list. */
  readonly field?: string | undefined;
  /** Called with the text of each item. Between two adjacent commas that is an empty text. */
  readonly onItem: (text: string) => void;
  /** Called if an item, or the text around the items, is longer than `maxPartBytes`. Has to throw. */
  readonly onTooLong: () => never;
  readonly maxPartBytes: number;
};

/** Longer than any name in the interface, written with escapes. */
const LONGEST_NAME_BYTES = 128;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** Splits a list while its parts are received. */
export const createJsonList = ({ field, onItem, onTooLong, maxPartBytes }: JsonListOptions): JsonList => {
  const listDepth = field === undefined ? 1 : 2;
  const item = createText(maxPartBytes, onTooLong);
  const frame = createText(maxPartBytes, onTooLong);
  let depth = 0;
  let inString = false;
  let escaped = false;
  let count = 0;
  let where: 'before' | 'inside' | 'after' = 'before';
  /** The list begins here if its bracket follows. */
  let expected = field === undefined;
  /** The bytes of the last string of the outermost object: a name, if a colon follows. */
  let name: number[] = [];

  /** A bracket or a brace, a comma or a colon, outside of any string; `end` is the place after it in `part`. */
  const structure = (byte: number, part: Buffer, begin: number, end: number): number => {
    if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth += 1;
      if (where === 'before' && expected && byte === OPEN_LIST && depth === listDepth) {
        frame.add(part, begin, end);
        where = 'inside';
        return end;
      }
    } else if (where === 'inside' && depth === listDepth && (byte === COMMA || byte === CLOSE_LIST)) {
      const text = item.takeWith(part, begin, end - 1);
      if (byte === COMMA || count > 0 || text.trim() !== '') onItem(text);
      count += 1;
      if (byte === COMMA) return end;
      depth -= 1;
      where = 'after';
      return end - 1;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
    expected = byte === COLON && depth === 1 && where === 'before' && textOf(name) === field;
    return begin;
  };

  return {
    take: (part) => {
      let begin = 0;
      for (let at = 0; at < part.length; at += 1) {
        const byte = part[at] ?? 0;
        if (inString) {
          if (where === 'before' && depth === 1 && name.length < LONGEST_NAME_BYTES) name.push(byte);
          if (escaped) escaped = false;
          else if (byte === BACKSLASH) escaped = true;
          else if (byte === QUOTE) inString = false;
        } else if (byte === QUOTE) {
          inString = true;
          expected = false;
          name = [byte];
        } else if (
          byte === COMMA ||
          byte === COLON ||
          byte === OPEN_LIST ||
          byte === OPEN_OBJECT ||
          byte === CLOSE_LIST ||
          byte === CLOSE_OBJECT
        ) {
          begin = structure(byte, part, begin, at + 1);
        } else if (!isSpace(byte)) expected = false;
      }
      (where === 'inside' ? item : frame).add(part, begin, part.length);
    },
    // If the list does not end, only its bracket is here, which is not JSON.
    frame: () => frame.takeWith(Buffer.alloc(0), 0, 0),
  };
};

/** The value of a JSON string; undefined if it is not one. */
const textOf = (bytes: readonly number[]): unknown => {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return undefined;
  }
};

/** Text that is received in pieces. */
const createText = (maxBytes: number, onTooLong: () => never) => {
  let pieces: Buffer[] = [];
  let sizeBytes = 0;
  const grow = (bytes: number): void => {
    sizeBytes += bytes;
    if (sizeBytes > maxBytes) onTooLong();
  };
  return {
    add: (part: Buffer, begin: number, end: number): void => {
      if (end <= begin) return;
      grow(end - begin);
      // A copy, because the piece would keep its whole part in memory.
      pieces.push(Buffer.from(part.subarray(begin, end)));
    },
    /** The whole text, with this last piece. */
    takeWith: (part: Buffer, begin: number, end: number): string => {
      grow(end - begin);
      const last = part.subarray(begin, end);
      const text = (pieces.length === 0 ? last : Buffer.concat([...pieces, last])).toString('utf8');
      pieces = [];
      sizeBytes = 0;
      return text;
    },
  };
};
