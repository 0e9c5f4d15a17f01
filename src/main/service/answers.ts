/** The service's answers, parsed with the contract's schemas and never cast. */
import { z } from 'zod';
import { DeskError, type Retry } from '../../contract/errors.ts';

/** A list that was read: `unreadable` counts the items left out because they have not the interface's shape. */
export type Listing<T> = { readonly value: T; readonly unreadable: number };

/** Turns a JSON body into `T`. @throws ZodError, which `readAnswer` translates. */
export type Parser<T> = (json: unknown) => T;

/** One object, exactly of the interface's shape. */
export const exactly =
  <T>(schema: z.ZodType<T>): Parser<T> =>
  (json) =>
    schema.parse(json);

/** A bare array (interface: Inspection point, Orderable event): items are parsed one by one. */
export const arrayOf =
  <T>(item: z.ZodType<T>): Parser<Listing<readonly T[]>> =>
  (json) => {
    const all = z.array(z.unknown()).parse(json);
    const value = all.flatMap((one) => {
      const parsed = item.safeParse(one);
      return parsed.success ? [parsed.data] : [];
    });
    return { value, unreadable: all.length - value.length };
  };

/** A wrapper object with `Items`: the wrapper exactly of its shape, the items one by one. */
export const pageOf = <S extends z.ZodObject<{ Items: z.ZodArray<z.ZodType> }>>(
  page: S,
): Parser<Listing<z.output<S>>> => {
  const frame = z.looseObject({ Items: z.unknown() });
  const items = arrayOf(page.shape.Items.element);
  return (json) => {
    const whole = frame.parse(json);
    const { value, unreadable } = items(whole.Items);
    return { value: page.parse({ ...whole, Items: value }), unreadable };
  };
};

/**
 * `text` as JSON, through `parser`; an empty text (204, say) is `undefined` to it.
 * @throws DeskError `service/malformed` with the given `retry`; details say where the shape was wrong, never what stood there.
 */
export const readAnswer = <T>(text: string, parser: Parser<T>, retry: Retry): T => {
  try {
    return parser(text === '' ? undefined : JSON.parse(text));
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
    const where = error instanceof z.ZodError ? (error.issues[0]?.path.join('.') ?? '') : '';
    throw new DeskError('service/malformed', 'the answer does not have the shape of the interface', {
      retry,
      details: where === '' ? {} : { where },
    });
  }
};
