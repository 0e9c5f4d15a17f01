/**
 * Finds words that the window shows without translation. The function runs in the page, so it uses nothing from outside
 * itself.
 */

/**
 * Returns the texts, tooltips and names on the page that the pseudo-language has not changed. A text that may be data
 * (in cells, items of lists, badges, options, states, links, titles, and elements that are marked as not to be
 * translated) counts only if it is one of the app's English texts (`english`). Texts with digits, paths or addresses
 * are left out. If a dialog is open, only the dialog is examined.
 */
export const findUntranslated = (english: readonly string[]): readonly string[] => {
  const own = new Set(english);
  const dialogs = [...document.querySelectorAll('[role="dialog"], [role="alertdialog"]')].filter((element) =>
    element.checkVisibility(),
  );
  const top: Element = dialogs.at(-1) ?? document.body;
  const data =
    'td, dd, li, option, h1, h1 + *, script, style, [translate="no"], [role="listitem"], [role="option"], [role="status"], [aria-live], .fui-Badge, .fui-Link';
  const found = new Set<string>();
  const check = (element: Element, text: string, where: string): void => {
    // The cheapest condition comes first: most attributes are absent.
    if (!/\p{L}{2,}/u.test(text) || /[[\]\d/]/.test(text)) return;
    if (element.closest(data) === null || own.has(text.trim()))
      found.add(
        `not translated: “${text.trim()}” ${where} <${element.localName} class="${element.getAttribute('class') ?? ''}">`,
      );
  };
  for (const element of [top, ...top.querySelectorAll('*')]) {
    if (!element.checkVisibility({ checkVisibilityCSS: true, contentVisibilityAuto: true })) continue;
    for (const node of element.childNodes) if (node.nodeType === 3) check(element, node.nodeValue ?? '', 'in');
    for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-description', 'aria-roledescription'])
      check(element, element.getAttribute(name) ?? '', `as ${name} of`);
  }
  return [...found];
};
