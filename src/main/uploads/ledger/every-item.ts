import type { Item } from './item-row.ts';
import type { Items } from './items.ts';

const PAGE_ITEMS = 500;

/** Every item of a batch in order, without holding them all, and while others write. */
export function* everyItem(items: Items, batch: string): Generator<Item, void> {
  for (let page = items.after(batch, 0, PAGE_ITEMS); page.length > 0; ) {
    yield* page;
    page = items.after(batch, page.at(-1)?.id ?? 0, PAGE_ITEMS);
  }
}
