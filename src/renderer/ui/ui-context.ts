/** Values that the components of this folder get from the app, so that they do not depend on it. */
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
  readonly texts: {
    readonly cancel: string;
    /** Names the button that empties a search field. */
    readonly clearSearch: string;
    /** Names the button for the options of a table; `hidden`: the names of the columns that are not shown. */
    readonly tableOptions: string;
    readonly hiddenColumns: (hidden: readonly string[]) => string;
    /** The heading of the list of columns, and the buttons that move the column of this name or reset them all. */
    readonly columns: string;
    readonly moveUp: (column: string) => string;
    readonly moveDown: (column: string) => string;
    readonly usualColumns: string;
    readonly compactRows: string;
    /** The button that opens the dialog for an export, and what that says. `of`: the rows of the whole list, if known. */
    readonly exportRows: string;
    readonly exportTitle: string;
    readonly exportType: string;
    readonly exportXlsx: string;
    readonly exportCsv: string;
    readonly exportWhich: string;
    readonly exportAll: (count: number) => string;
    readonly exportSeen: (count: number) => string;
    readonly exportPart: (loaded: number, of: number | undefined) => string;
    readonly exportRest: string;
    readonly exportReading: (loaded: number, of: number | undefined) => string;
    readonly exportWriting: (done: number, of: number) => string;
    readonly exportBegin: string;
    readonly exported: (path: string) => string;
    readonly openRow: string;
    readonly selectAll: string;
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
  /** Begins a file where the user chooses; undefined if they cancel. */
  readonly beginSheet: (head: SheetHead) => Promise<SheetFile | undefined>;
  /** Shows the error of an action. */
  readonly report: (error: unknown) => void;
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
