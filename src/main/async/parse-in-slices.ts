/** Parses long lists in slices, so that this process can do other work in between. */
import { setImmediate } from 'node:timers/promises';
import type { z } from 'zod';

/** The number of items that are parsed at once, which takes only a few milliseconds. */
const SLICE_ITEMS = 1_000;

/** A list of the service: an array, or an object with the array in `Items`, next to its counts. */
export type List = readonly unknown[] | { readonly Items: readonly unknown[]; readonly [count: string]: unknown };

export const itemsOf = (list: List): readonly unknown[] => ('Items' in list ? list.Items : list);

export const withItems = (list: List, items: readonly unknown[]): List =>
  'Items' in list ? { ...list, Items: items } : items;

/**
 * Parses `output` with `schema`. If `output.value` is a long `List`, `schema` parses the output once for each slice of
 * the list, with only the items of that slice. Rejects with the error of `schema`.
 */
export const parseInSlices = async <T>(schema: z.ZodType<T>, output: unknown): Promise<T> => {
  if (!hasList(output) || itemsOf(output.value).length <= SLICE_ITEMS) return schema.parse(output);
  const items = itemsOf(output.value);
  const parsed: unknown[] = [];
  let result: T;
  let at = 0;
  do {
    result = schema.parse({ ...output, value: withItems(output.value, items.slice(at, at + SLICE_ITEMS)) });
    if (hasList(result)) parsed.push(...itemsOf(result.value));
    at += SLICE_ITEMS;
    await setImmediate();
  } while (at < items.length);
  return hasList(result) ? { ...result, value: withItems(result.value, parsed) } : result;
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const hasList = (output: unknown): output is { readonly value: List } =>
  isObject(output) && (Array.isArray(output.value) || (isObject(output.value) && Array.isArray(output.value.Items)));
