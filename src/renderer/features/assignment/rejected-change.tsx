import { ChangeBar } from '../../domain/assignments/changes.tsx';
import { t } from '../../words/words.ts';
import type { ChangeAction } from './use-change.ts';

type RejectedChangeProps<C> = {
  readonly action: ChangeAction<C>;
  /** The change in words. */
  readonly describe: (change: C) => string;
};

/** The last change, if the service rejected it. */
export const RejectedChange = <C,>({ action: { rejected, busy, run, dismiss }, describe }: RejectedChangeProps<C>) =>
  rejected && (
    <ChangeBar
      title={describe(rejected.change)}
      error={rejected.error}
      busy={busy}
      onRetry={() => run(rejected.change)}
      discard={t('common.dismiss')}
      onDiscard={dismiss}
    />
  );
