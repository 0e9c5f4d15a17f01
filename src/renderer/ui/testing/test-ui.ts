import { createElement, type ReactNode } from 'react';
import type { TextKey } from '../../words/words.ts';
import { type Ui, UiProvider } from '../ui-context.ts';

/** What components take from the app: nothing is stored, and nothing saved. */
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

/** What components of `ui/` have around them. */
export const InTestUi = ({ children }: { readonly children?: ReactNode }) =>
  createElement(UiProvider, { value: testUi }, children);

/** The heading `text` of a column: a key without a text is shown as it is. */
export const heading = (text: string): TextKey => text as TextKey;
