/** What the components of this folder get from the app, so that they do not depend on its state. */
import { type ComponentType, createContext, use } from 'react';
import type { z } from 'zod';
import type { DeskClient } from '../../contract/calls.ts';
import type { ErrorData } from '../../contract/errors.ts';
import type { ViewValue } from '../../contract/preferences.ts';

export type Ui = {
  /** Writes files for spreadsheet programs. */
  readonly sheets: Pick<DeskClient['export'], 'begin' | 'rows' | 'finish' | 'cancel'>;
  /** Shows the error of an action. */
  readonly report: (error: unknown) => void;
  /** An error in place of the content that could not be shown. */
  readonly Failure: ComponentType<{ readonly error: ErrorData; readonly onRetry?: (() => void) | undefined }>;
  /**
   * A hook like `useState` whose value is kept after a restart: `undefined` if nothing that fits `schema` is stored
   * under `key`.
   */
  readonly useStored: <T extends ViewValue>(
    key: string,
    schema: z.ZodType<T>,
  ) => readonly [value: T | undefined, store: (value: T | undefined) => void];
};

const UiContext = createContext<Ui | undefined>(undefined);

export const UiProvider = UiContext.Provider;

export const useUi = (): Ui => {
  const ui = use(UiContext);
  if (ui === undefined) throw new Error('outside of UiProvider');
  return ui;
};
