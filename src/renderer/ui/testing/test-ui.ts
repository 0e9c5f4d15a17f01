import { createElement, type ReactNode } from 'react';
import { onTestFinished, vi } from 'vitest';
import type { TextKey } from '../../words/words.ts';
import { type Ui, UiProvider } from '../ui-context.ts';

/** A `Ui` that stores and saves nothing. */
export const testUi: Ui = {
  sheets: {
    begin: async () => undefined,
    rows: async () => {},
    finish: async () => undefined,
    cancel: async () => {},
  },
  report: () => {},
  Failure: ({ error }) => error.code,
  useStored: () => [undefined, () => {}],
};

/** Renders components of `ui/` in the context that they need. */
export const InTestUi = ({ children }: { readonly children?: ReactNode }) =>
  createElement(UiProvider, { value: testUi }, children);

/** Returns `text` as the heading of a column. A key that is missing from the words is shown as it is. */
export const heading = (text: string): TextKey => text as TextKey;

/** Until the end of the test, makes the window believe that it runs on a Mac. */
export const pretendMac = (): void => {
  const agent = vi
    .spyOn(navigator, 'userAgent', 'get')
    .mockReturnValue('Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)');
  onTestFinished(() => agent.mockRestore());
};
