import { ChangeBar } from '../../domain/assignments/change-bar.tsx';
import { t } from '../../words/words.ts';
import type { ChangeAction } from './use-change.ts';

export type RefusedChangeProps<C> = {
  readonly action: ChangeAction<C>;
  /** What a change does, in words. */
  readonly describe: (change: C) => string;
};

/** The change that was made last, where it did not go through. */
export const RefusedChange = <C,>({ action: { refused, busy, run, dismiss }, describe }: RefusedChangeProps<C>) =>
  refused && (
    <ChangeBar
      title={describe(refused.change)}
      error={refused.error}
      busy={busy}
      onRetry={() => run(refused.change)}
      discard={t('common.dismiss')}
      onDiscard={dismiss}
    />
  );
