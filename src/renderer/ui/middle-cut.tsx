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

export type MiddleCutProps = {
  /** A file's name, or a path. */
  readonly name: string;
  /** Default: the name. */
  readonly title?: string;
};

/**
 * A file's name in one line. Where there is no room for all of it, it is cut in the middle: files of one folder begin
 * alike. The whole name is in the tooltip, in what a screen reader reads, and in what is copied.
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
