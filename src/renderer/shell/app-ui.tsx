import { type ReactNode, useMemo } from 'react';
import { useApp } from '../state/context.tsx';
import { useRemembered } from '../state/use-remembered.ts';
import { type Ui, UiProvider } from '../ui/ui-context.ts';
import { formatCount } from '../words/amounts.ts';
import { t } from '../words/words.ts';

const createUi = (): Ui => ({
  texts: {
    cancel: t('common.cancel'),
    resizeColumn: t('common.resizeColumn'),
    unnamed: t('common.unnamed'),
    unreadableRow: t('common.unreadableItem'),
    unreadableRows: (count) => t('common.unreadable', { count }),
  },
  formatCount,
  useStored: useRemembered,
});

/** Gives the components of `ui/` their texts and formats, and somewhere to store what the person has arranged. */
export const AppUi = ({ children }: { readonly children: ReactNode }) => {
  const preferences = useApp(({ projection }) => projection.snapshot?.preferences);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the language and the formats come from the preferences.
  const ui = useMemo(createUi, [preferences]);
  return <UiProvider value={ui}>{children}</UiProvider>;
};
