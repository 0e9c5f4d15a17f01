/** Finds faults in the layout of a page. The function runs in the page, so it uses nothing from outside itself. */

/**
 * Returns what a user cannot read or reach on the page, one line for each fault: scrolling sideways, elements outside
 * of the window, texts that are cut off without a tooltip, broken within a word or wider than their button, controls
 * and texts that cover each other, tables too low for their rows or with columns too narrow for names. If a dialog is
 * open, only the dialog is examined.
 */
export const findLayoutFaults = (): readonly string[] => {
  type Box = { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number };
  type Piece = { readonly element: Element; readonly box: Box; readonly what: string; readonly layer: Element | null };

  const dialogs = [...document.querySelectorAll('[role="dialog"], [role="alertdialog"]')].filter(
    (element) => element.checkVisibility() && element.getBoundingClientRect().width > 0,
  );
  const top: Element = dialogs.at(-1) ?? document.body;
  const faults = new Set<string>();
  /** Results are cached, because every text and control examines the elements around it. */
  const once = <Value>(find: (element: Element) => Value): ((element: Element) => Value) => {
    const found = new Map<Element, Value>();
    return (element) => {
      const known = found.get(element);
      if (known !== undefined) return known;
      const value = find(element);
      found.set(element, value);
      return value;
    };
  };
  const styleOf = once((element) => getComputedStyle(element));
  const nameOf = (element: Element): string => {
    const text = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 60);
    return `<${element.localName}> “${text}”`;
  };
  const ancestors = once((element): readonly Element[] => {
    const parent = element.parentElement;
    return parent === null ? [] : [parent, ...ancestors(parent)];
  });
  const isUnseen = once((element): boolean => {
    const { clipPath, opacity } = styleOf(element);
    if (clipPath !== 'none' || opacity === '0') return true;
    return element.parentElement !== null && isUnseen(element.parentElement);
  });
  const inTable = (element: Element): boolean => element.closest('td, th') !== null;

  const cut = (box: Box, edge: Box): Box => ({
    left: Math.max(box.left, edge.left),
    right: Math.min(box.right, edge.right),
    top: Math.max(box.top, edge.top),
    bottom: Math.min(box.bottom, edge.bottom),
  });
  const everything: Box = { left: -Infinity, right: Infinity, top: -Infinity, bottom: Infinity };
  /** The area in which `element` and the elements around it show their content, after scrolling and clipping. */
  const clipOf = once((element): Box => {
    const { overflowX, overflowY } = styleOf(element);
    const { left, right, top: upper, bottom } = element.getBoundingClientRect();
    const around = element.parentElement === null ? everything : clipOf(element.parentElement);
    const acrossX = overflowX === 'visible' ? everything : { ...everything, left, right };
    const acrossY = overflowY === 'visible' ? everything : { ...everything, top: upper, bottom };
    return cut(cut(around, acrossX), acrossY);
  });
  const seenPart = (element: Element, box: Box): Box => cut(box, clipOf(element));
  const isThere = ({ left, right, top: upper, bottom }: Box): boolean => right - left > 1 && bottom - upper > 1;

  /** The floating part that contains the element. Floating parts may cover others by design. */
  const layerOf = once((element): Element | null => {
    const { position, zIndex } = styleOf(element);
    const floats = position === 'fixed' || position === 'sticky' || (position === 'absolute' && zIndex !== 'auto');
    if (floats) return element;
    return element.parentElement === null ? null : layerOf(element.parentElement);
  });

  const elements = [...top.querySelectorAll('*')].filter(
    (element) =>
      element.checkVisibility({ checkVisibilityCSS: true, contentVisibilityAuto: true }) &&
      !isUnseen(element) &&
      element.closest('svg') === null,
  );

  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) faults.add('the page scrolls sideways');
  for (const element of elements) {
    const { overflowX, textOverflow, overflowY } = styleOf(element);
    const scrolls = /auto|scroll/.test(overflowX) && element.scrollWidth > element.clientWidth + 1;
    if (scrolls && element.querySelector('table') === null) faults.add(`scrolls sideways: ${nameOf(element)}`);

    const hasText = [...element.childNodes].some(({ nodeType, nodeValue }) => nodeType === 3 && nodeValue?.trim());
    const hasTitle = element.closest('[title]') !== null || inTable(element);
    const cutX = overflowX === 'hidden' || overflowX === 'clip';
    if (cutX && element.scrollWidth > element.clientWidth + 1 && hasText && !(textOverflow === 'ellipsis' && hasTitle))
      faults.add(`cut off: ${nameOf(element)}`);
    const isField = element.matches('input, select, textarea');
    const lineHeight = Number.parseFloat(styleOf(element).lineHeight) || 0;
    const cutY = (overflowY === 'hidden' || overflowY === 'clip') && hasText && !isField;
    if (cutY && element.scrollHeight > element.clientHeight + 2 && (!hasTitle || element.clientHeight < lineHeight - 2))
      faults.add(`cut off in its height: ${nameOf(element)}`);
    if (isField || element.localName === 'button') {
      const { left, right, width } = element.getBoundingClientRect();
      const scrolled = ancestors(element).some(
        (part) => /auto|scroll/.test(styleOf(part).overflowX) && part.querySelector('table') !== null,
      );
      if (width > 0 && (left < -1 || right > innerWidth + 1) && !scrolled)
        faults.add(`outside of the window: ${nameOf(element)}`);
    }
  }

  const linesOf = (rects: readonly DOMRect[]): number =>
    new Set(rects.filter(({ width }) => width > 1).map((rect) => Math.round(rect.top / 4))).size;
  const texts: Piece[] = [];
  for (const element of elements) {
    if (element.matches('option, script, style')) continue;
    for (const node of element.childNodes) {
      const text = node.nodeValue ?? '';
      if (node.nodeType !== 3 || text.trim() === '') continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const rects = [...range.getClientRects()];
      for (const rect of rects) {
        const box = seenPart(element, rect);
        if (isThere(box))
          texts.push({ element, box, what: `text “${text.trim().slice(0, 60)}”`, layer: layerOf(element) });
      }
      // A single line breaks no word.
      if (linesOf(rects) < 2 || inTable(element)) continue;
      // Words of the app and of users can be checked. Ids, paths and names of files have no place for a break.
      for (const { 0: word, index } of text.matchAll(/(?<![\p{L}\p{N}._/@-])\p{L}{2,28}(?![\p{L}\p{N}._/@-])/gu)) {
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        if (linesOf([...range.getClientRects()]) > 1)
          faults.add(`broken within a word: “${word}” in ${nameOf(element)}`);
      }
    }
  }
  /** The control with its surroundings, such as the arrow of a list. */
  const frameOf = (element: Element): Element =>
    element.matches('input, select') && !inTable(element) ? (element.parentElement ?? element) : element;
  const controls = elements
    .filter((element) => element.matches('button, input, select, textarea, a[href], [role="combobox"], [role="tab"]'))
    .map((element) => ({
      element,
      box: seenPart(frameOf(element), frameOf(element).getBoundingClientRect()),
      what: nameOf(element),
      layer: layerOf(element),
    }))
    .filter(({ box }) => isThere(box));
  const meets = (a: Box, b: Box): boolean =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
  const belongs = (a: Element, b: Element): boolean => frameOf(a).contains(b) || frameOf(b).contains(a);
  const pieces: readonly Piece[] = [...controls, ...texts];
  // The cheapest condition comes first: there are hundreds of thousands of pairs.
  for (const [at, one] of pieces.entries())
    for (const other of pieces.slice(at + 1))
      if (meets(one.box, other.box) && one.layer === other.layer && !belongs(one.element, other.element))
        faults.add(`on top of each other: ${one.what} and ${other.what}`);
  for (const { element, what } of texts) {
    const control = element.closest('button, [role="tab"]');
    if (control === null || inTable(control)) continue;
    const edge = control.getBoundingClientRect();
    const range = document.createRange();
    range.selectNodeContents(element);
    const { left, right } = range.getBoundingClientRect();
    const isCut = [element, ...ancestors(element)].some(
      (part) => control.contains(part) && styleOf(part).overflowX !== 'visible',
    );
    if (!isCut && (left < edge.left - 1 || right > edge.right + 1)) faults.add(`reaches out of its button: ${what}`);
  }
  for (const table of elements.filter((element) => element.localName === 'table')) {
    const scroller = table.parentElement;
    if (scroller === null || !/auto|scroll/.test(styleOf(scroller).overflowY)) continue;
    const count = Math.min(3, Math.max(0, Number(table.getAttribute('aria-rowcount')) - 1));
    const height = table.querySelector('tbody tr[data-row]')?.getBoundingClientRect().height ?? 40;
    if (scroller.clientHeight < 36 + count * height - 2)
      faults.add(`no room for ${count} rows: the table ${nameOf(scroller)} is ${scroller.clientHeight} high`);
  }
  for (const table of elements.filter((element) => element.localName === 'table')) {
    // Only the names of files and folders have this attribute.
    const name = table.querySelector('tbody tr[data-row] span[dir="auto"]')?.closest('td')?.getBoundingClientRect();
    const wanted = Math.min(240, table.getBoundingClientRect().width * 0.22);
    if (name !== undefined && name.width < wanted - 1)
      faults.add(`no room for names: ${Math.round(name.width)} in the table ${nameOf(table)}`);
  }
  return [...faults];
};
