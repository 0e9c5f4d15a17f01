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

/** At the foot of a list that is no table: how many records of it could not be read. */
export const UnreadableNote = ({ count }: { readonly count: number }) => {
  const styles = useStyles();
  return count === 0 ? null : (
    <Text className={styles.note}>
      <Warning16Regular className={styles.icon} aria-hidden="true" />
      {t('common.unreadable', { count })}
    </Text>
  );
};
