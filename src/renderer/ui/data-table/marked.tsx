import { makeStyles, tokens } from '@fluentui/react-components';
import { useUi } from '../ui-context.ts';

/** A field of a record that a search found, and the text in it whose words are marked. */
export type FoundIn = { readonly name: string; readonly value: string; readonly searched: string };

export type FindReason<Row> = (row: Row, shown: readonly string[], searched: string) => readonly FoundIn[];

const useStyles = makeStyles({
  reason: {
    display: 'block',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    fontWeight: tokens.fontWeightRegular,
    lineHeight: tokens.lineHeightBase100,
  },
  mark: {
    backgroundColor: tokens.colorBrandBackground2,
    color: 'inherit',
    borderRadius: tokens.borderRadiusSmall,
    textDecorationLine: 'underline',
    textDecorationThickness: '1px',
    // The system has colours of its own for marks, which need not differ enough.
    '@media (forced-colors: active)': { forcedColorAdjust: 'none', backgroundColor: 'Canvas', color: 'CanvasText' },
  },
});

/** A text in which the words that were searched for are marked. */
export const Marked = ({ text, searched }: { readonly text: string; readonly searched: string }) => {
  const styles = useStyles();
  const marks = useUi().marksIn(text, searched);
  return (
    <>
      {marks.map(([from, to], index) => (
        <span key={from}>
          {text.slice(marks[index - 1]?.[1] ?? 0, from)}
          <mark className={styles.mark}>{text.slice(from, to)}</mark>
        </span>
      ))}
      {text.slice(marks.at(-1)?.[1] ?? 0)}
    </>
  );
};

/** A line that says in which fields a record was found, such as "Facility: FAC-241187"; nothing without any. */
export const FoundInLine = ({ fields }: { readonly fields: readonly FoundIn[] }) => {
  const styles = useStyles();
  if (fields.length === 0) return null;
  return (
    <span className={styles.reason}>
      {fields.map(({ name, value, searched }, index) => (
        <span key={value} title={value}>
          {index > 0 && ' · '}
          {name}: <Marked text={value} searched={searched} />
        </span>
      ))}
    </span>
  );
};
