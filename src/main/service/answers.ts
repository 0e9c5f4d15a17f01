/** The service's answers, parsed with the contract's schemas and never cast, within bounds that no service comes near. */
import { z } from 'zod';
import { DeskError, type Retry } from '../../contract/errors.ts';
import type { Listing } from '../../contract/reading.ts';
import { type BodyReader, tooLarge, wholeText } from '../net/read-body.ts';
import { createJsonList } from './json-list.ts';

/**
 * Reads one answer. Errors: `service/malformed` with the given `retry`, whose details say where the shape was wrong,
 * never what stood there; `service/too-large`.
 */
export type AnswerReader<T> = (retry: Retry) => BodyReader<T>;

/** Answers of a few fields. */
const SMALL_BYTES = 64 * 1024;

/** Lists are not paged but for the protocols: a service may have some ten thousand of each. */
export const LIST_LIMITS = { maxBytes: 24 * 1024 * 1024, maxItems: 50_000, maxPartBytes: 512 * 1024 };

/** One object, exactly of the interface's shape; an empty answer (204, say) is `undefined` to the schema. */
export const exactly =
  <T>(schema: z.ZodType<T>): AnswerReader<T> =>
  (retry) => {
    const text = wholeText(SMALL_BYTES);
    return { take: text.take, end: () => inShape(retry, () => schema.parse(json(text.end()))) };
  };

/** A bare array (interface: Inspection point, Orderable event): items are parsed one by one. */
export const arrayOf = <T>(item: z.ZodType<T>): AnswerReader<Listing<readonly T[]>> =>
  listOf({ item, whole: (frame, items) => [...z.array(z.never()).parse(frame), ...items] });

export type ListShape<I, T> = {
  readonly item: z.ZodType<I>;
  /** The field that the list is in. Absent: the answer is the list. */
  readonly field?: string;
  /** Makes the answer: `frame` is what was sent, with an empty list. */
  readonly whole: (frame: unknown, items: I[]) => T;
};

/** A list, alone or in a field: its items are parsed one by one as they come, what is around them as a whole. */
export const listOf =
  <I, T>({ item, field, whole }: ListShape<I, T>): AnswerReader<Listing<T>> =>
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
      onTooLong: () => {
        throw tooLarge({ maxPartBytes });
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

/** As `listOf`, of a list that counts only as a whole: one unreadable item is an answer that cannot be read. */
export const everyOf =
  <I, T>(shape: ListShape<I, T>): AnswerReader<T> =>
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
    const where = error instanceof z.ZodError ? (error.issues[0]?.path.join('.') ?? '') : '';
    throw malformed(retry, where);
  }
};

const malformed = (retry: Retry, where: string): DeskError =>
  new DeskError('service/malformed', 'the answer does not have the shape of the interface', {
    retry,
    details: where === '' ? {} : { where },
  });
