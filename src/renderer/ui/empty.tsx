import { makeStyles, Text, tokens } from '@fluentui/react-components';
import type { ReactNode } from 'react';

const useStyles = makeStyles({
  empty: {
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'center',
    gap: tokens.spacingVerticalM,
    padding: tokens.spacingVerticalXXXL,
    textAlign: 'center',
  },
  text: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalXS },
  hint: { color: tokens.colorNeutralForeground3 },
});

type EmptyProps = {
  readonly title: string;
  readonly hint?: string | undefined;
  /** A button that leads on. */
  readonly action?: ReactNode;
};

/** Says that there is nothing to show, and why or what to do. */
export const Empty = ({ title, hint, action }: EmptyProps) => {
  const styles = useStyles();
  return (
    <div className={styles.empty}>
      <div className={styles.text} role="status">
        <Text weight="semibold">{title}</Text>
        {hint !== undefined && <Text className={styles.hint}>{hint}</Text>}
      </div>
      {action}
    </div>
  );
};
