import { makeStyles, Text, tokens } from '@fluentui/react-components';
import { Warning16Regular } from '@fluentui/react-icons';
import { t } from '../../words/words.ts';

const useStyles = makeStyles({
  note: {
    display: 'flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalXS,
    color: tokens.colorNeutralForeground2,
  },
  icon: { flexShrink: 0, color: tokens.colorStatusWarningForeground3 },
});

/** Below a list: how many of its records could not be read. Tables have a footer for it. */
export const UnreadableNote = ({ count }: { readonly count: number }) => {
  const styles = useStyles();
  return count === 0 ? null : (
    <Text className={styles.note}>
      <Warning16Regular className={styles.icon} aria-hidden="true" />
      {t('common.unreadable', { count })}
    </Text>
  );
};
