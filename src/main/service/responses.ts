/** Parses the service's responses with the contract's schemas, within limits far above what a service sends. */
import { z } from 'zod';
import { DeskError, type Retry } from '../../contract/errors.ts';
import type { Listing } from '../../contract/resources.ts';
import { type BodyReader, tooLarge, wholeText } from '../net/exchange.ts';

/**
 * Creates the reader of one response. Errors: `service/malformed` with the given `retry`, whose details say where the shape
 * was wrong but not what was there; `service/too-large`.
 */
export type ResponseReader<T> = (retry: Retry) => BodyReader<T>;

/** For responses of a few fields. */
const SMALL_BYTES = 64 * 1024;

/** Only the protocols are paged, so a list may have tens of thousands of items. */
export const LIST_LIMITS = { maxBytes: 24 * 1024 * 1024, maxItems: 50_000, maxPartBytes: 512 * 1024 };

/** One object. The schema gets `undefined` for an empty response, such as a 204. */
export const exactly =
  <T>(schema: z.ZodType<T>): ResponseReader<T> =>
  (retry) => {
    const text = wholeText(SMALL_BYTES);
    return { take: text.take, end: () => inShape(retry, () => schema.parse(json(text.end()))) };
  };

/** A bare array (interface: Inspection point, Orderable event): its items are parsed one by one. */
export const arrayOf = <T>(item: z.ZodType<T>): ResponseReader<Listing<readonly T[]>> =>
  listOf({ item, whole: (frame, items) => [...z.array(z.never()).parse(frame), ...items] });

type ListShape<I, T> = {
  readonly item: z.ZodType<I>;
  /** The field with the list. Absent: the response is the list. */
  readonly field?: string;
  /** Builds the value. `frame`: what was received, with an empty list. */
  readonly whole: (frame: unknown, items: I[]) => T;
};

/** A list, alone or in a field: its items are parsed one by one while they are received, the fields around them as a whole. */
export const listOf =
  <I, T>({ item, field, whole }: ListShape<I, T>): ResponseReader<Listing<T>> =>
  (retry) => {
    const { maxBytes, maxItems, maxPartBytes } = LIST_LIMITS;
    const items: I[] = [];
    let unreadable = 0;
    let sizeBytes = 0;
    const list = createJsonList({
      field,
      maxPartBytes,
      onItem: (text) => {
        const parsed = item.safeParse(JSON.parse(text));
        if (parsed.success) items.push(parsed.data);
        else unreadable += 1;
        if (items.length + unreadable > maxItems) throw tooLarge({ maxItems });
      },
    });
    return {
      take: (part) => {
        sizeBytes += part.length;
        if (sizeBytes > maxBytes) throw tooLarge({ maxBytes });
        inShape(retry, () => list.take(part));
        return true;
      },
      end: () => inShape(retry, () => ({ value: whole(json(list.frame()), items), unreadable })),
    };
  };

/** Like `listOf`, for a list that is only valid as a whole: one unreadable item fails the response. */
export const everyOf =
  <I, T>(shape: ListShape<I, T>): ResponseReader<T> =>
  (retry) => {
    const { take, end } = listOf(shape)(retry);
    return {
      take,
      end: () => {
        const { value, unreadable } = end();
        if (unreadable > 0) throw malformed(retry, shape.field ?? '');
        return value;
      },
    };
  };

const json = (text: string): unknown => (text === '' ? undefined : JSON.parse(text));

const inShape = <T>(retry: Retry, read: () => T): T => {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
    throw malformed(retry, error instanceof z.ZodError ? (error.issues[0]?.path.join('.') ?? '') : '');
  }
};

const malformed = (retry: Retry, where: string): DeskError =>
  new DeskError('service/malformed', 'the answer does not match the interface', {
    retry,
    details: where === '' ? {} : { where },
  });

// Splits a JSON list into its items while it is received, so that the list is never in memory as a whole. Only the ends of
// the items are found here; `JSON.parse` decides whether each item, and the frame around them, is JSON.

type JsonListOptions = {
  /** The field of the outermost object with the list. Absent: the whole text is the list. */
  readonly field?: string | undefined;
  /** Called with the text of each item; an empty text between two adjacent commas. */
  readonly onItem: (text: string) => void;
  /** The limit of an item, and of the frame. */
  readonly maxPartBytes: number;
};

type JsonList = {
  /** Takes the next bytes. @throws DeskError `service/too-large` */
  readonly take: (part: Buffer) => void;
  /** The text around the items, after the last part: `[]`, or an object with an empty list. */
  readonly frame: () => string;
};

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const ENDS_ITEM = [COMMA, CLOSE_LIST];
/** The signs of the structure, and by how much each changes the depth. */
const DEEPER: Readonly<Record<number, number>> = {
  [COMMA]: 0,
  [COLON]: 0,
  [OPEN_LIST]: 1,
  [CLOSE_LIST]: -1,
  [OPEN_OBJECT]: 1,
  [CLOSE_OBJECT]: -1,
};

/** Longer than any field name in the interface, written with escapes. */
const LONGEST_NAME_BYTES = 128;

export const createJsonList = ({ field, onItem, maxPartBytes }: JsonListOptions): JsonList => {
  const listDepth = field === undefined ? 1 : 2;
  const item = createText(maxPartBytes);
  const frame = createText(maxPartBytes);
  let where: 'before' | 'inside' | 'after' = 'before';
  let depth = 0;
  let isFirst = true;
  let isInString = false;
  let isEscaped = false;
  /** The bytes of the last string in the outermost object: a field name, if a colon follows. */
  let name: number[] = [];
  /** The next bracket opens the list. */
  let isExpected = field === undefined;

  /** Passes on the item before the `sign` that ends it. An empty list has none. */
  const endItem = (sign: number): void => {
    const text = item.take();
    if (sign === COMMA || !isFirst || text.trim() !== '') onItem(text);
    isFirst = false;
  };

  /** Handles the sign before `end`. Returns where the text begins that belongs to no item or frame yet. */
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
    isExpected = where === 'before' && sign === COLON && depth === 1 && stringIn(name) === field;
    return begin;
  };

  /** Handles a byte of a string. */
  const inString = (byte: number): void => {
    if (where === 'before' && depth === 1 && name.length < LONGEST_NAME_BYTES) name.push(byte);
    isInString = isEscaped || byte !== QUOTE;
    isEscaped = !isEscaped && byte === BACKSLASH;
  };

  return {
    take: (part) => {
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
    // Without its end, the list has only its opening bracket here, which is not JSON.
    frame: frame.take,
  };
};

/** The value of a JSON string; undefined if it is not one. */
const stringIn = (bytes: readonly number[]): unknown => {
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return undefined;
  }
};

/** Collects text that is received in pieces. */
const createText = (maxPartBytes: number) => {
  let pieces: Buffer[] = [];
  let sizeBytes = 0;
  return {
    add: (part: Buffer, begin: number, end: number): void => {
      sizeBytes += end - begin;
      if (sizeBytes > maxPartBytes) throw tooLarge({ maxPartBytes });
      // A copy, because a piece would keep its whole part in memory.
      if (end > begin) pieces.push(Buffer.from(part.subarray(begin, end)));
    },
    /** Returns what was collected, and starts again. */
    take: (): string => {
      const text = Buffer.concat(pieces, sizeBytes).toString();
      pieces = [];
      sizeBytes = 0;
      return text;
    },
  };
};
