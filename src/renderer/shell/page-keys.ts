/** The keyboard targets of the visible page. Its search field or filters have `data-find`. */

const allShown = (selector: string): readonly HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>(selector)].filter((element) => element.checkVisibility());

const firstShown = (selector: string): HTMLElement | undefined => allShown(selector)[0];

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
export const isSearchField = (target: EventTarget | null): target is HTMLInputElement =>
  target instanceof HTMLInputElement &&
  target.matches('main :is(search input, input[data-find]):not([role="combobox"], [type="checkbox"])');

const results = 'main [data-row] :is(button, input)[tabindex="0"], main [data-result] button';

/**
 * Focuses the row that Tab would reach: that of the first list below `field`, or else the first disclosure; returns whether
 * there is one.
 */
export const focusResults = (field: Node): boolean => {
  const isBelow = (element: Node): boolean =>
    (field.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  const row = allShown(results).find(isBelow) ?? firstShown('main summary');
  row?.focus();
  return row !== undefined;
};
