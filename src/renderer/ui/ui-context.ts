/** Defines what the components of this folder get from the app, so that they do not depend on the app's state. */
import { type ComponentType, createContext, use } from 'react';
import type { z } from 'zod';
import type { DeskClient } from '../../contract/calls.ts';
import type { ErrorData } from '../../contract/errors.ts';
import type { ViewValue } from '../../contract/preferences.ts';

export type Ui = {
  readonly sheets: Pick<DeskClient['export'], 'begin' | 'rows' | 'finish' | 'cancel'>;
  readonly report: (error: unknown) => void;
  readonly Failure: ComponentType<{ readonly error: ErrorData; readonly onRetry?: (() => void) | undefined }>;
  /**
   * A hook like `useState` whose value survives a restart. The value is undefined if nothing is stored under `key`, or
   * nothing that fits `schema`.
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
