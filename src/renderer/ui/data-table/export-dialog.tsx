import { Checkbox, Field, ProgressBar, Radio, RadioGroup, Text } from '@fluentui/react-components';
import { type ReactNode, useEffect, useState } from 'react';
import { type SheetCell, SheetType } from '../../../contract/sheets.ts';
import { t } from '../../words/words.ts';
import { DialogFrame } from '../dialog-frame.tsx';
import { useIsMounted } from '../hooks.ts';
import { saveSheet } from '../save-sheet.ts';
import { useUi } from '../ui-context.ts';
import type { Column } from './columns.tsx';
import { cellOf } from './use-picks.tsx';
import { type ReadRows, readStep, type TableSelection } from './use-selection.ts';

/** The rest of a partly loaded list, and how to read it. `of`: the number of rows of the whole list, if it is known. */
export type Rest = {
  readonly of: number | undefined;
  readonly isReading: boolean;
  /** Begins (true) or stops (false) reading the rest. */
  readonly read: (reads: boolean) => void;
  readonly failure?: ReactNode;
};

export type ExportDialogProps<Row> = {
  /** The table's name. It is proposed as the name of the file. */
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  readonly count: number;
  readonly read: ReadRows<Row>;
  readonly selection: Pick<TableSelection<Row>, 'ids' | 'has'> | undefined;
  /** The rest of the list; undefined if `read` returns all rows. */
  readonly rest: Rest | undefined;
  /** `saved`: what was saved; absent if nothing was. */
  readonly onClose: (saved?: Saved) => void;
};

/** A saved file. `count`: the number of rows to export; `written`: how many the list still had. */
type Saved = { readonly path: string; readonly count: number; readonly written: number };

/**
 * A dialog that saves the rows of a table as a file for spreadsheet programs. If the user wants the rest of the list as
 * well, it is read first.
 */
export const ExportDialog = <Row,>(props: ExportDialogProps<Row>) => {
  const { name, columns, count, read, selection, rest, onClose } = props;
  const selected = selection?.ids.size ?? 0;
  const { sheets, report, useStored } = useUi();
  const [type = 'xlsx', setType] = useStored('export.type', SheetType);
  const [onlySelected, setOnlySelected] = useState(selected > 0);
  const [readsRest, setReadsRest] = useState(true);
  const [state, setState] = useState<'asking' | 'reading' | 'writing'>('asking');
  const [done, setDone] = useState(0);
  const isOpen = useIsMounted();

  const cellsOf = (row: Row): readonly SheetCell[] =>
    columns.map((column) => (column.value ? column.value(row) : cellOf(column, row)));
  const write = async (): Promise<void> => {
    setState('writing');
    let written = 0;
    async function* pages() {
      for (let offset = 0; offset < count; offset += readStep) {
        const { rows } = await read(offset, Math.min(readStep, count - offset));
        const wanted = rows.filter((row) => !onlySelected || selection?.has(row));
        written += wanted.length;
        yield wanted.map(cellsOf);
        if (!isOpen.current) throw new Error('the dialog was closed');
        if (rows.length === 0) return;
        setDone(offset + rows.length);
      }
    }
    const header = columns.map(({ header, sheetHeader = header }) => t(sheetHeader));
    const saved = await saveSheet(sheets, { name, type, header }, pages());
    if (saved) onClose({ ...saved, count: onlySelected ? selected : count, written });
    else setState('asking');
  };
  const run = (): void => {
    write().catch((error: unknown) => {
      if (!isOpen.current) return;
      report(error);
      onClose();
    });
  };
  useEffect(() => {
    if (state !== 'reading') return;
    if (rest === undefined) run();
    // After a failure, the user decides again.
    else if (rest.failure !== undefined && !rest.isReading) setState('asking');
  });
  const begin = (): void => {
    if (rest === undefined || onlySelected || !readsRest) {
      run();
      return;
    }
    rest.read(true);
    setState('reading');
  };
  const cancel = (): void => {
    if (state === 'reading') rest?.read(false);
    onClose();
  };
  const isBusy = state !== 'asking';
  const of = rest?.of;
  const readingText =
    of === undefined
      ? t('common.export.reading', { loaded: count })
      : t('common.export.readingOf', { loaded: count, count: of });
  const progressText = state === 'reading' ? readingText : t('common.export.writing', { done, count });
  return (
    <DialogFrame
      title={t('common.export.title')}
      onClose={cancel}
      main={{ label: t('common.export.title'), disabled: isBusy, act: begin }}
    >
      <Field label={t('common.export.type')}>
        <RadioGroup value={type} disabled={isBusy} onChange={(_, { value }) => setType(SheetType.parse(value))}>
          <Radio value="xlsx" label={t('common.export.xlsx')} />
          <Radio value="csv" label={t('common.export.csv')} />
        </RadioGroup>
      </Field>
      {selected > 0 && (
        <Field label={t('common.export.which')}>
          <RadioGroup
            value={onlySelected ? 'selected' : 'all'}
            disabled={isBusy}
            onChange={(_, { value }) => setOnlySelected(value === 'selected')}
          >
            <Radio value="selected" label={t('common.rows.selected', { count: selected })} />
            <Radio value="all" label={t('common.export.all', { count })} />
          </RadioGroup>
        </Field>
      )}
      {rest === undefined || onlySelected ? (
        <Text>{t('common.export.seen', { count: onlySelected ? selected : count })}</Text>
      ) : (
        <>
          <Text>
            {t('common.export.loaded', { count })}{' '}
            {of === undefined ? t('common.export.more') : t('common.export.known', { count: of })}
          </Text>
          <Checkbox
            label={t('common.export.rest')}
            disabled={isBusy}
            checked={readsRest}
            onChange={(_, { checked }) => setReadsRest(checked === true)}
          />
          {!isBusy && rest.failure}
        </>
      )}
      {isBusy && (
        <Field validationState="none" validationMessage={progressText}>
          <ProgressBar
            {...(state === 'writing' ? { value: done, max: count } : of !== undefined && { value: count, max: of })}
          />
        </Field>
      )}
    </DialogFrame>
  );
};
