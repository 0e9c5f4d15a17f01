import { makeStyles, mergeClasses } from '@fluentui/react-components';
import { splitName } from './split-name.ts';
import { unseen } from './unseen.ts';

const useStyles = makeStyles({
  name: { display: 'flex', minWidth: 0, position: 'relative' },
  part: { whiteSpace: 'pre', userSelect: 'none' },
  start: { minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis' },
  end: { flexShrink: 0, maxWidth: '80%', overflow: 'hidden', textOverflow: 'ellipsis' },
  unseen,
});

type MiddleCutProps = {
  /** A file's name, or a path. */
  readonly name: string;
  /** Default: the name. */
  readonly title?: string;
};

/**
 * A file's name in one line. A name that does not fit is cut in the middle, because files of one folder often begin with
 * the same words. The tooltip, screen readers and the clipboard get the whole name.
 */
export const MiddleCut = ({ name, title = name }: MiddleCutProps) => {
  const styles = useStyles();
  const { start, end } = splitName(name);
  if (end === '') {
    return (
      <span className={styles.name} title={title} dir="auto">
        <span className={styles.start}>{name}</span>
      </span>
    );
  }
  return (
    <span className={styles.name} title={title} dir="auto">
      <span className={styles.unseen}>{name}</span>
      <span className={mergeClasses(styles.part, styles.start)} aria-hidden="true">
        {start}
      </span>
      <span className={mergeClasses(styles.part, styles.end)} aria-hidden="true">
        {end}
      </span>
    </span>
  );
};
