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
const ENDS_ITEM = [COMMA, CLOSE_LIST];
const DEEPER: Readonly<Record<number, number>> = {
  [COMMA]: 0,
  [COLON]: 0,
  [OPEN_LIST]: 1,
  [CLOSE_LIST]: -1,
  [OPEN_OBJECT]: 1,
  [CLOSE_OBJECT]: -1,
};

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
  let name: number[] = [];
  let isExpected = field === undefined;

  const endItem = (sign: number): void => {
    const text = item.take();
    if (sign === COMMA || !isFirst || text.trim() !== '') onItem(text);
    isFirst = false;
  };

  /**
   * Handles the structural character at `end - 1`. Returns the start of the text that was added neither to an item nor
   * to the frame.
   */
  const structure = (sign: number, part: Buffer, begin: number, end: number): number => {
    if (where === 'inside' && depth === listDepth && ENDS_ITEM.includes(sign)) {
      item.add(part, begin, end - 1);
      endItem(sign);
      if (sign === COMMA) return end;
      where = 'after';
      depth -= 1;
      return end - 1;
    }
    depth += DEEPER[sign] ?? 0;
    if (isExpected && sign === OPEN_LIST && depth === listDepth) {
      frame.add(part, begin, end);
      where = 'inside';
      return end;
    }
    isExpected = where === 'before' && sign === COLON && depth === 1 && jsonIn(Buffer.from(name).toString()) === field;
    return begin;
  };

  const inString = (byte: number): void => {
    if (where === 'before' && depth === 1 && name.length < LONGEST_NAME_BYTES) name.push(byte);
    isInString = isEscaped || byte !== QUOTE;
    isEscaped = !isEscaped && byte === BACKSLASH;
  };

  return {
    /**
     * Adds the next bytes.
     * @throws DeskError `service/too-large`; errors of `onItem`
     */
    take: (part: Buffer): void => {
      let begin = 0;
      for (let at = 0; at < part.length; at += 1) {
        const byte = part[at] ?? 0;
        if (isInString) inString(byte);
        else if (byte === QUOTE) {
          isInString = true;
          name = [QUOTE];
        } else if (DEEPER[byte] !== undefined) begin = structure(byte, part, begin, at + 1);
      }
      (where === 'inside' ? item : frame).add(part, begin, part.length);
    },
    /**
     * Returns the text around the items: `[]`, or an object with an empty list. To be called after the last part. If
     * the list has not ended, the text is not JSON, because the list's closing bracket is missing.
     */
    frame: frame.take,
  };
};

const createText = (maxPartBytes: number) => {
  let pieces: Buffer[] = [];
  let sizeBytes = 0;
  return {
    add: (part: Buffer, begin: number, end: number): void => {
      sizeBytes += end - begin;
      if (sizeBytes > maxPartBytes) throw tooLarge({ maxPartBytes });
      // A copy, because a view would keep the whole part in memory.
      if (end > begin) pieces.push(Buffer.from(part.subarray(begin, end)));
    },
    take: (): string => {
      const text = Buffer.concat(pieces, sizeBytes).toString();
      pieces = [];
      sizeBytes = 0;
      return text;
    },
  };
};
