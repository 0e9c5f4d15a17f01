/** Which columns of a table are shown: what a person has chosen, else what fits into the window. */
import { type ReactNode, Suspense, useMemo, useSyncExternalStore } from 'react';
import { z } from 'zod';
import { later } from '../later.ts';
import { useUi } from '../ui-context.ts';
import type { Column } from './column.ts';

const ColumnChooser = later(async () => (await import('./column-chooser.tsx')).ColumnChooser);

/** With minor columns, customers were cut to a letter in a window of 1,024 pixels. */
const NARROW = '(max-width: 1199px)';

const followWidth = (onChange: () => void): (() => void) => {
  const query = matchMedia(NARROW);
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
};

const isNarrow = (): boolean => matchMedia(NARROW).matches;

/** By the column's id. A column without a choice is shown wherever it fits. */
const Choice = z.record(z.string(), z.boolean());
type Choice = Readonly<z.infer<typeof Choice>>;

const none: Choice = {};

/** In pixels: what the usual columns need, and what each that was added in spite of a narrow window needs beside them. */
const USUAL_PX = 620;
const ADDED_PX = 120;

type ShownColumns<Row> = {
  readonly shown: readonly Column<Row>[];
  /** Chooses columns; absent where the table leaves none out in any window. */
  readonly chooser: ReactNode | undefined;
  /** The table scrolls sideways rather than be narrower. */
  readonly minWidthPx: number;
};

/** The columns of the table `id` that are shown; the choice is stored across restarts. The first column names the row, so it always is. */
export const useColumns = <Row,>(id: string, columns: readonly Column<Row>[]): ShownColumns<Row> => {
  const { useStored } = useUi();
  const narrow = useSyncExternalStore(followWidth, isNarrow, () => false);
  const [choice = none, store] = useStored(`shown.${id}`, Choice);
  return useMemo(() => {
    const isUsual = ({ minor }: Column<Row>): boolean => !(narrow && minor === true);
    const isShown = (column: Column<Row>): boolean => column === columns[0] || (choice[column.id] ?? isUsual(column));
    const shown = columns.filter(isShown);
    const added = shown.filter((column) => !isUsual(column)).length;
    const entries = columns
      .slice(1)
      .map((column) => ({ id: column.id, name: column.header(), isShown: isShown(column) }));
    const chooser = columns.some(({ minor }) => minor) && (
      <Suspense>
        <ColumnChooser
          columns={entries}
          onChoose={(column, chosen) => store({ ...choice, [column]: chosen })}
          onReset={choice === none ? undefined : () => store(undefined)}
        />
      </Suspense>
    );
    return { shown, chooser: chooser || undefined, minWidthPx: USUAL_PX + added * ADDED_PX };
  }, [columns, choice, narrow, store]);
};
