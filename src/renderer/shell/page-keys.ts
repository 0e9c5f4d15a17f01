/** What the keyboard leads to on the page in view. Its search or filters carry `data-find`. */

const firstShown = (selector: string): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>(selector)].find((element) => element.checkVisibility());

/** Whether a dialog is open, which keeps the keyboard to itself. */
export const hasDialog = (): boolean => document.querySelector('[role="dialog"], [role="alertdialog"]') !== null;

/** Puts the focus on the search of the page, or on its first filter; answers whether there is one. */
export const focusSearch = (): boolean => {
  const found = firstShown('main [data-find]') ?? firstShown('main search');
  const field = found?.matches('input') ? found : found?.querySelector<HTMLElement>('input, select');
  field?.focus();
  if (field instanceof HTMLInputElement) field.select();
  return field != null;
};

/** Whether `target` is a search or a filter of the page in which the arrow down does nothing of its own. */
export const isSearchField = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement &&
  target.matches('main :is(search input, input[data-find]):not([role="combobox"], [type="date"], [type="checkbox"])');

/** Puts the focus on the row of the table that the Tab key leads to, or on the first thing that unfolds; answers whether there is one. */
export const focusResults = (): boolean => {
  const row = firstShown('main [data-row] :is(button, input)[tabindex="0"]') ?? firstShown('main summary');
  row?.focus();
  return row !== undefined;
};
