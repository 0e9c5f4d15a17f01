import { makeStyles, tokens } from '@fluentui/react-components';
import { useUi } from '../ui-context.ts';

const useStyles = makeStyles({
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
