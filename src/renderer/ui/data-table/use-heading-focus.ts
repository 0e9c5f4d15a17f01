/**
 * Keyboard focus of the headings of a table: one tab stop for all, arrow keys from one to the next, with Shift for
 * their widths.
 */
import { type FocusEvent, type KeyboardEvent, useState } from 'react';

const stepPx = 16;

type HeadingFocus = {
  /** The heading that Tab leads to. */
  readonly active: number;
  readonly onFocus: (event: FocusEvent<HTMLElement>) => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
};

const headingOf = (target: EventTarget): HTMLTableCellElement | null =>
  target instanceof HTMLElement ? target.closest('th') : null;

/** The focus of the headings, whose elements have `data-heading`; `resize` moves the boundary at the end of one. */
export const useHeadingFocus = (resize: (heading: HTMLTableCellElement, byPx: number) => void): HeadingFocus => {
  const [active, activate] = useState(0);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const heading = headingOf(event.target);
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (heading === null || step === 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    if (event.shiftKey) {
      resize(heading, step * stepPx);
      return;
    }
    const next = event.currentTarget.children[heading.cellIndex + step];
    next?.querySelector<HTMLElement>('[data-heading]')?.focus();
  };
  const onFocus = ({ target }: FocusEvent<HTMLElement>): void => {
    const heading = headingOf(target);
    if (heading !== null) activate(heading.cellIndex);
  };
  return { active, onFocus, onKeyDown };
};
