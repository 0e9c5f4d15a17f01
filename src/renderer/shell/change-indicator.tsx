import { makeStyles, tokens } from '@fluentui/react-components';
import { isPending, isRejected } from '../../contract/offline.ts';
import { useApp, useSnapshot } from '../state/context.tsx';
import { t } from '../words/words.ts';

const useStyles = makeStyles({
  changes: {
    padding: 0,
    border: 'none',
    background: 'none',
    font: 'inherit',
    color: tokens.colorBrandForegroundLink,
    textAlign: 'inherit',
    textDecorationLine: 'underline',
    cursor: 'pointer',
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}` },
  },
});

/** The number of pending and rejected changes, a link to them. Nothing if there are none. */
export const ChangeIndicator = () => {
  const styles = useStyles();
  const open = useApp((state) => state.open);
  const waiting = useSnapshot(({ outbox }) => outbox.filter(isPending).length);
  const refused = useSnapshot(({ outbox }) => outbox.filter(isRejected).length);
  const words = [
    refused > 0 && t('shell.changesRefused', { count: refused }),
    waiting > 0 && t('shell.changesWaiting', { count: waiting }),
  ];
  return (
    <div role="status">
      {waiting + refused > 0 && (
        <button type="button" className={styles.changes} onClick={() => open({ name: 'overview' })}>
          {words.filter(Boolean).join(', ')}
        </button>
      )}
    </div>
  );
};
