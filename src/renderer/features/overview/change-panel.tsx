import { Button, Link, makeStyles, tokens } from '@fluentui/react-components';
import { isPending } from '../../../contract/offline.ts';
import { assignmentName } from '../../../contract/resources.ts';
import { PendingChanges } from '../../domain/assignments/pending-changes.tsx';
import { useAssignment, useKnownFiles } from '../../queries/assignments.ts';
import { useApp, useDesk, useSnapshot } from '../../state/context.tsx';
import { useAction } from '../../state/use-action.ts';
import { bareList } from '../../ui/bare.ts';
import { lines } from '../../ui/lines.ts';
import { Part } from '../../ui/part.tsx';
import { t } from '../../words/words.ts';

const useStyles = makeStyles({
  name: { ...lines(2), textAlign: 'start' },
  list: {
    ...bareList,
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalL,
  },
});

/** The pending changes to one assignment below its name, which opens it. */
const AssignmentChanges = ({ id }: { readonly id: string }) => {
  const styles = useStyles();
  const open = useApp((state) => state.open);
  const seen = useApp((state) => state.assignments[id]);
  const { value: known } = useAssignment(id);
  const { value: files } = useKnownFiles(id);
  const summary = seen ?? known?.assignment;
  const name = (summary && assignmentName(summary)) || t('overview.changesOf', { id });
  return (
    <li>
      <Link
        as="button"
        className={styles.name}
        title={name}
        onClick={() => open({ name: 'assignment', AssignmentId: id, summary, section: 'overview' })}
      >
        {name}
      </Link>
      <PendingChanges id={id} files={files} />
    </li>
  );
};

/**
 * The changes that the service has not accepted, by assignment. Nothing if there are none. `onSent` is called when they were
 * tried again: the service may be back.
 */
export const ChangePanel = ({ onSent }: { readonly onSent: () => void }) => {
  const styles = useStyles();
  const { outbox } = useDesk();
  const entries = useSnapshot((snapshot) => snapshot.outbox);
  const send = useAction(() => outbox.send().then(onSent));
  if (entries.length === 0) return null;
  const waits = entries.some(isPending);
  return (
    <Part
      title={t('overview.changes')}
      actions={
        waits && (
          <Button size="small" disabledFocusable={send.busy} onClick={() => send.run()}>
            {t('overview.sendChanges')}
          </Button>
        )
      }
    >
      <ul className={styles.list}>
        {[...new Set(entries.map(({ AssignmentId }) => AssignmentId))].map((id) => (
          <AssignmentChanges key={id} id={id} />
        ))}
      </ul>
    </Part>
  );
};
