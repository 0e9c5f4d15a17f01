/** The contents of table cells. */
import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { Warning16Regular } from '@fluentui/react-icons';
import type { CSSProperties, ReactNode } from 'react';
import { marksIn } from '../../../contract/search.ts';
import { t } from '../../words/words.ts';
import { oneLine } from '../styles.ts';
import type { Column } from './columns.tsx';
import { useTableStyles } from './styles.ts';

const useTwoLinesStyles = makeStyles({
  line: { display: 'block', overflow: 'hidden', textOverflow: 'ellipsis' },
  name: { fontWeight: tokens.fontWeightSemibold },
  /** A proposed value that is not chosen yet. */
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
  /** A smaller second line; none for an empty text. */
  readonly second: ReactNode;
  readonly title?: string | undefined;
  readonly look?: 'name' | 'proposed' | undefined;
};

/** The content of a cell in two lines. Its row is 52 high. */
export const TwoLines = ({ first, second, title, look }: TwoLinesProps) => {
  const styles = useTwoLinesStyles();
  return (
    <span className={styles.line} title={title}>
      <span className={mergeClasses(styles.line, look && styles[look])}>{first}</span>
      {second !== '' && <span className={mergeClasses(styles.line, styles.minor)}>{second}</span>}
    </span>
  );
};

/** A field of a record that a search found, and the text in it whose words are marked. */
export type FoundIn = { readonly name: string; readonly value: string; readonly searched: string };

export type FindReason<Row> = (row: Row, shown: readonly string[], searched: string) => readonly FoundIn[];

const useMarkedStyles = makeStyles({
  reason: {
    display: 'block',
    ...oneLine,
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
  const styles = useMarkedStyles();
  const marks = marksIn(text, searched);
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
  const styles = useMarkedStyles();
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

type WholeRowProps = {
  readonly columns: readonly Column<never>[];
  /** Whether there is also a column of checkboxes. */
  readonly selectable: boolean;
  readonly className: string;
  readonly style?: CSSProperties;
  readonly children: ReactNode;
};

/** A cell across all columns. */
const WholeRow = ({ columns, selectable, className, style, children }: WholeRowProps) => (
  <td colSpan={columns.length + Number(selectable)} className={className} style={style}>
    {children}
  </td>
);

type UnreadableRowProps = Pick<WholeRowProps, 'columns' | 'selectable'> & {
  /** From 0, as that of other rows. */
  readonly index: number;
  readonly height: number;
};

/** Stands for a record whose shape could not be read, so that nothing of it can be shown. */
export const UnreadableRow = ({ index, height, ...row }: UnreadableRowProps) => {
  const styles = useTableStyles();
  return (
    <tr aria-rowindex={index + 2}>
      <WholeRow {...row} className={mergeClasses(styles.cell, styles.unreadable)} style={{ height }}>
        <Warning16Regular className={styles.warning} aria-hidden="true" /> {t('common.unreadableItem')}
      </WholeRow>
    </tr>
  );
};

type UnreadableFootProps = Pick<WholeRowProps, 'columns' | 'selectable'> & { readonly count: number };

/** Their count in the footer of the table. */
export const UnreadableFoot = ({ count, ...row }: UnreadableFootProps) => {
  const styles = useTableStyles();
  return (
    <tfoot>
      <tr>
        <WholeRow {...row} className={mergeClasses(styles.cell, styles.foot)}>
          {t('common.unreadable', { count })}
        </WholeRow>
      </tr>
    </tfoot>
  );
};
