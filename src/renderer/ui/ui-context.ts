/** What the components of this folder get from the app, so that they do not depend on its state. */
import { createContext, use } from 'react';
import type { z } from 'zod';

type Stored = number | string | boolean | readonly Stored[] | { readonly [name: string]: Stored };

/** A cell of a spreadsheet. A time is in ms since 1970, `day`: without its hours. */
export type SheetCell = string | number | { readonly ms: number; readonly day: boolean };

/** A file that is being written for spreadsheet programs. */
export type SheetFile = {
  readonly add: (rows: (readonly SheetCell[])[]) => Promise<void>;
  /** Returns the path of the file. */
  readonly finish: () => Promise<string | undefined>;
  readonly cancel: () => void;
};

type SheetHead = { readonly name: string; readonly type: 'xlsx' | 'csv'; readonly header: string[] };

export type Ui = {
  /** Begins a file where the user chooses; undefined if they cancel. */
  readonly beginSheet: (head: SheetHead) => Promise<SheetFile | undefined>;
  /** Shows the error of an action. */
  readonly report: (error: unknown) => void;
  /**
   * A hook like `useState` whose value outlives the app: `undefined` if nothing that fits `schema` is stored under
   * `key`.
   */
  readonly useStored: <T extends Stored>(
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
