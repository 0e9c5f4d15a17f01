import type { OutboxEntry } from '../../../contract/outbox.ts';
import type { KnownFile } from '../../../contract/upload-files.ts';
import { useDesk, useSnapshot } from '../../state/context.tsx';
import { useAction } from '../../state/use-action.ts';
import { t } from '../../words/words.ts';
import { ChangeBar } from './change-bar.tsx';
import { changeText } from './change-words.ts';

export type WaitingChangesProps = {
  readonly id: string;
  /** Of one part of the assignment; of all its parts where it is left out. */
  readonly kind?: OutboxEntry['kind'];
  /** The files known of the assignment, to name those that are to be removed. */
  readonly files?: readonly KnownFile[] | undefined;
};

/** The changes to an assignment that wait for the service, or were refused when they were sent. */
export const WaitingChanges = ({ id, kind, files }: WaitingChangesProps) => {
  const { outbox } = useDesk();
  const entries = useSnapshot((snapshot) => snapshot.outbox);
  const act = useAction((what: 'revoke' | 'retry', entry: number) => outbox[what]({ id: entry }));
  return entries
    .filter((entry) => entry.AssignmentId === id && (kind === undefined || entry.kind === kind))
    .map((entry) => (
      <ChangeBar
        key={entry.id}
        title={changeText(entry, files)}
        error={entry.error}
        busy={act.busy}
        onRetry={() => act.run('retry', entry.id)}
        discard={t('assignment.change.revoke')}
        onDiscard={() => act.run('revoke', entry.id)}
      />
    ));
};
