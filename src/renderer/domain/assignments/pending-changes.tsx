import type { KnownFile } from '../../../contract/uploads.ts';
import { useDesk, useSnapshot } from '../../state/context.tsx';
import { useAction } from '../../state/use-action.ts';
import { t } from '../../words/words.ts';
import { ChangeBar } from './change-bar.tsx';
import { changeText } from './change-words.ts';
import { RemovalBar } from './removal-bar.tsx';

type PendingChangesProps = {
  readonly id: string;
  /** Shows only changes of this kind, of one file or of several; all if absent. */
  readonly kind?: 'plan-after' | 'remove-file';
  /** The known files of the assignment, for the names of removed ones. */
  readonly files?: readonly KnownFile[] | undefined;
};

/** The pending changes to an assignment, and those that the service has rejected. */
export const PendingChanges = ({ id, kind, files }: PendingChangesProps) => {
  const { outbox } = useDesk();
  const entries = useSnapshot((snapshot) => snapshot.outbox);
  const act = useAction((what: 'revoke' | 'retry', entry: number) => outbox[what]({ id: entry }));
  return entries
    .filter((entry) => entry.AssignmentId === id && (kind === undefined || entry.kind.startsWith(kind)))
    .map((entry) =>
      entry.kind === 'remove-files' ? (
        <RemovalBar key={entry.id} removal={entry} />
      ) : (
        <ChangeBar
          key={entry.id}
          title={changeText(entry, files)}
          error={entry.error}
          busy={act.busy}
          onRetry={() => act.run('retry', entry.id)}
          discard={t('assignment.change.revoke')}
          onDiscard={() => act.run('revoke', entry.id)}
        />
      ),
    );
};
