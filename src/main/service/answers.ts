/** Parses the service's answers with the contract's schemas, within limits far above what a service sends. */
import { z } from 'zod';
import { DeskError, type Retry } from '../../contract/errors.ts';
import type { Listing } from '../../contract/resources.ts';
import { type BodyReader, tooLarge, wholeText } from '../net/exchange.ts';
import { createJsonList } from './json-list.ts';

/**
 * Reads one answer. Errors: `service/malformed` with the given `retry`, whose details say where the shape was wrong
 * but not what was there; `service/too-large`.
 */
export type AnswerReader<T> = (retry: Retry) => BodyReader<T>;

/** Answers of a few fields. */
const SMALL_BYTES = 64 * 1024;

/** Only the protocols are paged, so a list may have tens of thousands of items. */
export const LIST_LIMITS = { maxBytes: 24 * 1024 * 1024, maxItems: 50_000, maxPartBytes: 512 * 1024 };

/** One object of the interface's shape. The schema gets `undefined` for an empty answer, such as a 204. */
export const exactly =
  <T>(schema: z.ZodType<T>): AnswerReader<T> =>
  (retry) => {
    const text = wholeText(SMALL_BYTES);
    return { take: text.take, end: () => inShape(retry, () => schema.parse(json(text.end()))) };
  };

/** A bare array (interface: Inspection point, Orderable event): its items are parsed one by one. */
export const arrayOf = <T>(item: z.ZodType<T>): AnswerReader<Listing<readonly T[]>> =>
  listOf({ item, whole: (frame, items) => [...z.array(z.never()).parse(frame), ...items] });

type ListShape<I, T> = {
  readonly item: z.ZodType<I>;
  /** The field with the list. Absent: the answer is the list. */
  readonly field?: string;
  /** Builds the answer. `frame`: what was received, with an empty list. */
  readonly whole: (frame: unknown, items: I[]) => T;
};

/** A list, alone or in a field: its items are parsed one by one while they are received, the fields around them as a whole. */
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

/** Like `listOf`, for a list that is only valid as a whole: one unreadable item fails the answer. */
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
  new DeskError('service/malformed', 'the answer does not match the interface', {
    retry,
    details: where === '' ? {} : { where },
  });
