import { makeStyles, Text, tokens } from '@fluentui/react-components';

const useStyles = makeStyles({
  empty: {
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'center',
    gap: tokens.spacingVerticalXS,
    padding: tokens.spacingVerticalXXXL,
    textAlign: 'center',
  },
  hint: { color: tokens.colorNeutralForeground3 },
});

/** Says that there is nothing to show, and why or what to do. */
export const Empty = ({ title, hint }: { readonly title: string; readonly hint?: string | undefined }) => {
  const styles = useStyles();
  return (
    <div className={styles.empty} role="status">
      <Text weight="semibold">{title}</Text>
      {hint !== undefined && <Text className={styles.hint}>{hint}</Text>}
    </div>
  );
};
