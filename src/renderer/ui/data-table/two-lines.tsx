import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import type { ReactNode } from 'react';

const useStyles = makeStyles({
  line: { display: 'block', overflow: 'hidden', textOverflow: 'ellipsis' },
  name: { fontWeight: tokens.fontWeightSemibold },
  /** What was only proposed. */
  proposed: { color: tokens.colorNeutralForeground3, fontStyle: 'italic' },
  minor: {
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
    // In the button of a row its name is bold.
    fontWeight: tokens.fontWeightRegular,
    color: tokens.colorNeutralForeground3,
  },
});

type TwoLinesProps = {
  readonly first: ReactNode;
  /** Smaller, below the first; an empty text: there is none. */
  readonly second: ReactNode;
  readonly title?: string | undefined;
  readonly look?: 'name' | 'proposed' | undefined;
};

/** The content of a cell in two lines. Its row is 52 high. */
export const TwoLines = ({ first, second, title, look }: TwoLinesProps) => {
  const styles = useStyles();
  return (
    <span className={styles.line} title={title}>
      <span className={mergeClasses(styles.line, look && styles[look])}>{first}</span>
      {second !== '' && <span className={mergeClasses(styles.line, styles.minor)}>{second}</span>}
    </span>
  );
};
