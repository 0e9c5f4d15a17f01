import { makeStyles, tokens } from '@fluentui/react-components';
import { bareButton, bareList } from './bare.ts';
import { useUi } from './ui-context.ts';

const useStyles = makeStyles({
  chart: {
    ...bareList,
    display: 'flex',
    gap: tokens.spacingHorizontalXXS,
    height: '196px',
    // Where the names of all would be cut off, they stand in rows of six.
    '@media (max-width: 479px)': { flexWrap: 'wrap', height: 'auto' },
  },
  place: { flex: '1 1 0', minWidth: 0, '@media (max-width: 479px)': { flexBasis: '15%', height: '196px' } },
  column: {
    ...bareButton,
    display: 'flex',
    flexDirection: 'column',
    // Browsers align the content of a button at its start, which leaves a column without text no width.
    alignItems: 'stretch',
    justifyContent: 'flex-end',
    gap: tokens.spacingVerticalXS,
    width: '100%',
    height: '100%',
    padding: '2px',
    borderRadius: tokens.borderRadiusMedium,
    fontSize: tokens.fontSizeBase200,
    textAlign: 'center',
    cursor: 'pointer',
    ':hover': { backgroundColor: tokens.colorNeutralBackground1Hover },
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}` },
  },
  count: { fontVariantNumeric: 'tabular-nums' },
  fill: {
    minHeight: '2px',
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorCompoundBrandBackground,
    '@media (forced-colors: active)': { backgroundColor: 'Highlight', forcedColorAdjust: 'none' },
  },
  label: { color: tokens.colorNeutralForeground3, overflow: 'hidden', whiteSpace: 'nowrap' },
});

type ChartColumn = {
  readonly key: string;
  /** The whole name, such as "January 2025". */
  readonly name: string;
  /** The label below the column, such as "Jan". */
  readonly short: string;
  /** A second line of the label, such as "2025"; empty if it would repeat that of the column before. */
  readonly under: string;
  readonly count: number;
  readonly open: () => void;
};

const highestPx = 110;

/** Counts side by side, such as by month: a chart that is a list of buttons, so that everyone can read and use it. */
export const ColumnChart = ({
  label,
  columns,
}: {
  readonly label: string;
  readonly columns: readonly ChartColumn[];
}) => {
  const styles = useStyles();
  const { formatCount } = useUi();
  const most = Math.max(1, ...columns.map(({ count }) => count));
  return (
    <ul className={styles.chart} aria-label={label}>
      {columns.map(({ key, name, short, under, count, open }) => (
        <li key={key} className={styles.place}>
          <button type="button" className={styles.column} title={name} onClick={open}>
            <span className={styles.count}>{formatCount(count)}</span>{' '}
            <span className={styles.fill} style={{ height: (highestPx * count) / most }} />
            <span className={styles.label}>
              {short}
              <br />
              {under || '\u00a0'}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
};
