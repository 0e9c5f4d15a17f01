import type { ReactNode } from 'react';
import { useRemembered } from '../state/use-remembered.ts';
import { type Ui, UiProvider } from '../ui/ui-context.ts';
import { formatCount } from '../words/amounts.ts';
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
  },
  formatCount,
  useStored: useRemembered,
});

/** Provides the texts, formats and storage of the components in `ui/`. */
export const AppUi = ({ children }: { readonly children: ReactNode }) => {
  const ui = useMemoInWords(createUi, []);
  return <UiProvider value={ui}>{children}</UiProvider>;
};
