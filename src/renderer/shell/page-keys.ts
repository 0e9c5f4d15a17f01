/** The keyboard targets of the visible page. Its search field or filters have `data-find`. */

const firstShown = (selector: string): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>(selector)].find((element) => element.checkVisibility());

/** Whether a dialog is open and has the keyboard. */
export const hasDialog = (): boolean => document.querySelector('[role="dialog"], [role="alertdialog"]') !== null;

/** Focuses the search field of the page, or its first filter; returns whether there is one. */
export const focusSearch = (): boolean => {
  const found = firstShown('main [data-find]') ?? firstShown('main search');
  const field = found?.matches('input') ? found : found?.querySelector<HTMLElement>('input, select');
  field?.focus();
  if (field instanceof HTMLInputElement) field.select();
  return field != null;
};

/** Whether `target` is a search field or filter of the page in which the down arrow has no function. */
export const isSearchField = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement &&
  target.matches('main :is(search input, input[data-find]):not([role="combobox"], [type="date"], [type="checkbox"])');

/** Focuses the table row that Tab would reach, or the first disclosure; returns whether there is one. */
export const focusResults = (): boolean => {
  const row = firstShown('main [data-row] :is(button, input)[tabindex="0"]') ?? firstShown('main summary');
  row?.focus();
  return row !== undefined;
};
