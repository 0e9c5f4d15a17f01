import { createElement, type ReactNode } from 'react';
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
  useStored: () => [undefined, () => {}],
};

/** What components of `ui/` have around them. */
export const InTestUi = ({ children }: { readonly children?: ReactNode }) =>
  createElement(UiProvider, { value: testUi }, children);
