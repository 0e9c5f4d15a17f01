import type { ReactNode } from 'react';
import { marksIn } from '../../contract/search.ts';
import { pastedCell, sheetFormat } from '../../contract/text.ts';
import { useRemembered } from '../state/use-remembered.ts';
import { type Ui, UiProvider } from '../ui/ui-context.ts';
import { formatCount } from '../words/amounts.ts';
import { formats } from '../words/formats.ts';
import { useMemoInWords } from '../words/revision.ts';
import { t } from '../words/words.ts';

const createUi = (): Ui => ({
  texts: {
    cancel: t('common.cancel'),
    clearSearch: t('common.clearSearch'),
    columns: t('common.columns'),
    hiddenColumns: (hidden) => t('common.hiddenColumns', { columns: hidden.join(', ') }),
    usualColumns: t('common.usualColumns'),
    resizeColumn: t('common.resizeColumn'),
    unnamed: t('common.unnamed'),
    unreadableRow: t('common.unreadableItem'),
    unreadableRows: (count) => t('common.unreadable', { count }),
    selected: (count) => t('common.rows.selected', { count }),
    copyRows: t('common.rows.copy'),
    clearSelection: t('common.rows.clear'),
    copying: t('common.rows.copying'),
    copied: (count) => t('common.rows.copied', { count }),
    copiedPart: (copied, count) => t('common.rows.copiedPart', { copied, count }),
    notCopied: t('shell.copyImpossible'),
    notSelected: t('common.rows.notSelected'),
  },
  marksIn,
  formatCount,
  sheetCell: (cell) => pastedCell(cell, sheetFormat(formats().number)),
  useStored: useRemembered,
});

/** Provides the texts, formats and storage of the components in `ui/`. */
export const AppUi = ({ children }: { readonly children: ReactNode }) => {
  const ui = useMemoInWords(createUi, []);
  return <UiProvider value={ui}>{children}</UiProvider>;
};
