import type { OutboxEntry } from '../../../contract/offline.ts';
import { useDesk, useSnapshot } from '../../app/context.tsx';
import { useAction } from '../../app/use-action.ts';
import { t } from '../../words/words.ts';
import { ChangeBar } from './change-bar.tsx';

export type WaitingChangesProps = {
  readonly id: string;
  readonly kind: OutboxEntry['kind'];
  /** What the change does, in words. */
  readonly describe: (entry: OutboxEntry) => string;
};

/** The changes to one part of an assignment that wait for the service, or were refused when they were sent. */
export const WaitingChanges = ({ id, kind, describe }: WaitingChangesProps) => {
  const { outbox } = useDesk();
  const entries = useSnapshot((snapshot) => snapshot.outbox);
  const act = useAction((what: 'revoke' | 'retry', entry: number) => outbox[what]({ id: entry }));
  return entries
    .filter((entry) => entry.AssignmentId === id && entry.kind === kind)
    .map((entry) => (
      <ChangeBar
        key={entry.id}
        title={describe(entry)}
        error={entry.error}
        busy={act.busy}
        onRetry={() => act.run('retry', entry.id)}
        discard={t('assignment.change.revoke')}
        onDiscard={() => act.run('revoke', entry.id)}
      />
    ));
};
