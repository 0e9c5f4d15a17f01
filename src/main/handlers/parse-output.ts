/** What a handler answers, parsed as the contract has it before it leaves main. */
import { setImmediate } from 'node:timers/promises';
import type { z } from 'zod';

/** So few items that parsing them takes a few milliseconds. */
const SLICE_ITEMS = 1_000;

type List = readonly unknown[];
/** `Reading` of a list: alone, or with its counts beside it. */
type OfList = { readonly value: List | { readonly Items: List } };

/**
 * `output` as `schema` has it. A long list that was read of the service is parsed in slices, with turns for everything
 * else between them and before it is copied for the window: each slice as an answer with no more items than those.
 * Throws what `schema` does.
 */
export const parseOutput = async <T>(schema: z.ZodType<T>, output: unknown): Promise<T> => {
  if (!isOfList(output) || itemsOf(output).length <= SLICE_ITEMS) return schema.parse(output);
  const items = itemsOf(output);
  const parsed: unknown[] = [];
  let answer: T;
  let at = 0;
  do {
    answer = schema.parse(withItems(output, items.slice(at, at + SLICE_ITEMS)));
    if (isOfList(answer)) parsed.push(...itemsOf(answer));
    at += SLICE_ITEMS;
    await setImmediate();
  } while (at < items.length);
  return isOfList(answer) ? { ...answer, ...withItems(answer, parsed) } : answer;
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const isOfList = (output: unknown): output is OfList =>
  isObject(output) && (Array.isArray(output.value) || (isObject(output.value) && Array.isArray(output.value.Items)));

const itemsOf = ({ value }: OfList): List => ('Items' in value ? value.Items : value);

const withItems = (output: OfList, items: List): OfList => ({
  ...output,
  value: 'Items' in output.value ? { ...output.value, Items: items } : items,
});
