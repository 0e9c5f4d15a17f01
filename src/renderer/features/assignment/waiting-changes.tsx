import {
  Button,
  MessageBar,
  MessageBarActions,
  MessageBarBody,
  MessageBarTitle,
  makeStyles,
  tokens,
} from '@fluentui/react-components';
import { errorText } from '../../../contract/error-text.ts';
import type { OutboxEntry } from '../../../contract/offline.ts';
import { useDesk, useSnapshot } from '../../app/context.tsx';
import { useAction } from '../../app/use-action.ts';
import { t } from '../../words/words.ts';

const useStyles = makeStyles({
  changes: {
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalS,
    marginTop: tokens.spacingVerticalM,
  },
});

export type WaitingChangesProps = {
  readonly id: string;
  readonly kind: OutboxEntry['kind'];
  /** What the change does, in words. */
  readonly describe: (entry: OutboxEntry) => string;
};

/** The changes to one part of an assignment that the service has not taken over: they wait, or were refused. */
export const WaitingChanges = ({ id, kind, describe }: WaitingChangesProps) => {
  const styles = useStyles();
  const { outbox } = useDesk();
  const entries = useSnapshot((snapshot) => snapshot.outbox);
  const act = useAction((what: 'revoke' | 'retry', entry: number) => outbox[what]({ id: entry }));
  const own = entries.filter((entry) => entry.AssignmentId === id && entry.kind === kind);
  if (own.length === 0) return null;
  return (
    <div className={styles.changes}>
      {own.map((entry) => {
        const { error } = entry;
        const text = error && errorText(error);
        return (
          <MessageBar key={entry.id} intent={error ? 'error' : 'info'} layout="multiline">
            <MessageBarBody>
              <MessageBarTitle>{describe(entry)}</MessageBarTitle>{' '}
              {text ? `${text.title} ${text.todo}` : t('assignment.change.waiting')}
            </MessageBarBody>
            <MessageBarActions>
              {error && (
                <Button size="small" disabledFocusable={act.busy} onClick={() => act.run('retry', entry.id)}>
                  {t('common.tryAgain')}
                </Button>
              )}
              <Button size="small" disabledFocusable={act.busy} onClick={() => act.run('revoke', entry.id)}>
                {t('assignment.change.revoke')}
              </Button>
            </MessageBarActions>
          </MessageBar>
        );
      })}
    </div>
  );
};
