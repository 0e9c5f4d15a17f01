/**
 * The items of a JSON list, one at a time while the list is still coming: what is not kept never adds up in memory.
 * Nothing is checked here but where an item ends; the parts are JSON only if `JSON.parse` says so of each.
 */

export type JsonList = {
  readonly take: (part: Buffer) => void;
  /** What stood around the items, after the last part: `[]`, or an object with an empty list. */
  readonly frame: () => string;
};

export type JsonListOptions = {
  /** The field of the outermost object that is the list. Absent: the list is the whole text. */
  readonly field?: string | undefined;
  /** Gets the text of each item. Two commas in a row have an empty one between them. */
  readonly onItem: (text: string) => void;
  /** Called where an item, or what stands around them, is longer than `maxPartBytes`: has to throw. */
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

/** Splits a list as its parts come. */
export const createJsonList = ({ field, onItem, onTooLong, maxPartBytes }: JsonListOptions): JsonList => {
  const listDepth = field === undefined ? 1 : 2;
  const item = createText(maxPartBytes, onTooLong);
  const frame = createText(maxPartBytes, onTooLong);
  let depth = 0;
  let inString = false;
  let escaped = false;
  let count = 0;
  let where: 'before' | 'inside' | 'after' = 'before';
  /** The list begins here if the next thing is its bracket. */
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
    // Of a list that does not end there is only the bracket here, which is no JSON.
    frame: () => frame.takeWith(Buffer.alloc(0), 0, 0),
  };
};

/** What a JSON string says; undefined where it is none. */
const textOf = (bytes: readonly number[]): unknown => {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return undefined;
  }
};

/** Text that comes in pieces. */
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
      // A copy: the piece would keep the whole part in memory that it was cut from.
      pieces.push(Buffer.from(part.subarray(begin, end)));
    },
    /** All that was added, and this last piece. */
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
