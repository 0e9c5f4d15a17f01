import type { Item } from './item-row.ts';
import type { Items } from './items.ts';

const PAGE_ITEMS = 500;

/** Every item of a batch in order, without holding them all, and while others write. */
export function* everyItem(items: Items, batch: string): Generator<Item, void> {
  const page = (afterId: number) => items.after(batch, { afterId, limit: PAGE_ITEMS });
  for (let found = page(0); found.length > 0; found = page(found.at(-1)?.id ?? 0)) yield* found;
}
