import { makeStyles, mergeClasses } from '@fluentui/react-components';
import { unseen } from './styles.ts';

const useStyles = makeStyles({
  name: { display: 'flex', minWidth: 0, position: 'relative' },
  part: { whiteSpace: 'pre', userSelect: 'none' },
  // The start of the name shrinks first, down to its ellipsis. If the end of the name does not fit either, the end is
  // cut at its beginning.
  start: { flexShrink: 1_000, minWidth: '1ch', overflow: 'hidden', textOverflow: 'ellipsis' },
  // The start keeps room for its first letter and an ellipsis. Without the ellipsis, start and end would read as one
  // word.
  long: { minWidth: '1.6em' },
  end: { display: 'flex', justifyContent: 'flex-end', minWidth: 0, overflow: 'hidden' },
  unseen,
});

/**
 * Shows a file's name in one line. A long name that does not fit is cut in the middle, because the names of files in
 * one folder often begin with the same words. Screen readers and the clipboard get the whole name, and so does the
 * tooltip by default.
 */
export const MiddleCut = ({ name, title = name }: { readonly name: string; readonly title?: string }) => {
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
      <span
        className={mergeClasses(styles.part, styles.start, start.length > fewest && styles.long)}
        aria-hidden="true"
      >
        {start}
      </span>
      <span className={mergeClasses(styles.part, styles.end)} aria-hidden="true">
        {end}
      </span>
    </span>
  );
};

/** If the start of a name has at most this many characters, it reserves no room for an ellipsis. */
const fewest = 3;
/** The number of characters before the extension that stay readable. */
const endLength = 10;
/** The maximum length of an extension with its dot; a longer one is part of the name. */
const longestExtension = 9;
/** The maximum number of characters that are added to `end`, so that `end` begins with a whole word. */
const longestWordPart = 6;
/** Names up to this length are not split: if they do not fit, they are cut at the end. */
const shortest = 16;

/** Splits into graphemes, such as a letter with its accent. */
const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * Splits a file's name or path into two parts. `start` is shortened first. `end` contains the extension and the
 * characters before it, because the names of files in one folder usually differ there. `end` is empty for a short name.
 */
const splitName = (name: string): { readonly start: string; readonly end: string } => {
  if (name.length <= shortest) return { start: name, end: '' };
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 && name.length - dot <= longestExtension ? name.length - dot : 0;
  const wanted = name.length - extension - endLength;
  const [wordPart = ''] = /[^\s/\\_-]*$/.exec(name.slice(0, wanted)) ?? [];
  const isWordLeft = wordPart.length <= longestWordPart && wordPart.length < wanted;
  const wordStart = isWordLeft ? wanted - wordPart.length : wanted;
  // Moves the split so that it does not separate a letter from its accents.
  const at = characters.segment(name).containing(wordStart)?.index ?? name.length;
  return { start: name.slice(0, at), end: name.slice(at) };
};
