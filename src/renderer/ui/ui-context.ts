/** Values that the components of this folder get from the app, so that they do not depend on it. */
import { createContext, use } from 'react';
import type { z } from 'zod';

type Stored = number | string | boolean | readonly Stored[] | { readonly [name: string]: Stored };

export type Ui = {
  readonly texts: {
    readonly cancel: string;
    /** Names the button that empties a search field. */
    readonly clearSearch: string;
    /** Names the button that chooses columns; `hidden`: the names of those that are not shown. */
    readonly columns: string;
    readonly hiddenColumns: (hidden: readonly string[]) => string;
    /** Names the button that resets the choice of columns. */
    readonly usualColumns: string;
    /** The tooltip of the boundary between two columns. */
    readonly resizeColumn: string;
    /** Stands in for an empty name. */
    readonly unnamed: string;
    /** A record of a list that could not be read, and how many of them there are. */
    readonly unreadableRow: string;
    readonly unreadableRows: (count: number) => string;
    /** Selected rows, and what was copied of them: all, or the first of them. */
    readonly selected: (count: number) => string;
    readonly copyRows: string;
    readonly clearSelection: string;
    readonly copying: string;
    readonly copied: (count: number) => string;
    readonly copiedPart: (count: number, selected: number) => string;
    readonly notCopied: string;
    readonly notSelected: string;
  };
  /** The ranges of `text` that match the search. */
  readonly marksIn: (text: string, searched: string) => readonly (readonly [from: number, to: number])[];
  /** How a cell is copied for spreadsheets. */
  readonly sheetCell: (cell: string | number) => string;
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

/**
 * Components below it are rendered again when `value` is a new object: when the language or the formats have changed.
 */
export const UiProvider = UiContext.Provider;

export const useUi = (): Ui => {
  const ui = use(UiContext);
  if (ui === undefined) throw new Error('outside of UiProvider');
  return ui;
};
