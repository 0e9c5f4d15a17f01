/** Charts that are lists for screen readers. */
import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import { bareButton, bareList, stacked } from './styles.ts';
import { useUi } from './ui-context.ts';

const useBarListStyles = makeStyles({
  list: {
    listStyle: 'none',
    // Aligns the bars, which have a padding, with the text above them.
    margin: `0 calc(-1 * ${tokens.spacingVerticalSNudge})`,
    padding: 0,
    display: 'flex',
    flexDirection: 'column',
  },
  bar: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) auto',
    gap: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalM}`,
    alignItems: 'center',
    boxSizing: 'border-box',
    width: '100%',
    padding: tokens.spacingVerticalSNudge,
  },
  button: {
    ...bareButton,
    borderRadius: tokens.borderRadiusMedium,
    textAlign: 'start',
    cursor: 'pointer',
    ':hover': { backgroundColor: tokens.colorNeutralBackground1Hover },
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}` },
  },
  name: { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  count: { fontVariantNumeric: 'tabular-nums', fontWeight: tokens.fontWeightSemibold },
  track: {
    gridColumn: '1 / -1',
    height: '6px',
    borderRadius: tokens.borderRadiusCircular,
    backgroundColor: tokens.colorNeutralBackground5,
  },
  fill: {
    display: 'block',
    minWidth: '6px',
    height: '100%',
    borderRadius: tokens.borderRadiusCircular,
    backgroundColor: tokens.colorCompoundBrandBackground,
    '@media (forced-colors: active)': { backgroundColor: 'Highlight', forcedColorAdjust: 'none' },
  },
});

export type Bar = {
  readonly key: string;
  readonly name: string;
  /** Shown in place of the name. */
  readonly show?: ReactNode;
  readonly count: number;
  /** Opens the counted records. */
  readonly open?: () => void;
};

/** Counts as bars to compare: a chart that is a list, so that everyone can read and use it. */
export const BarList = ({ label, bars }: { readonly label: string; readonly bars: readonly Bar[] }) => {
  const styles = useBarListStyles();
  const { formatCount } = useUi();
  const most = Math.max(...bars.map(({ count }) => count));
  const content = (shown: ReactNode, count: number) => (
    <>
      <span className={styles.name}>{shown}</span>
      <span className={styles.count}>{formatCount(count)}</span>
      <span className={styles.track}>
        <span className={styles.fill} style={{ width: `${(100 * count) / most}%` }} />
      </span>
    </>
  );
  return (
    <ul className={styles.list} aria-label={label}>
      {bars.map(({ key, name, show, count, open }) => (
        <li key={key}>
          {open === undefined ? (
            <div className={styles.bar}>{content(show ?? name, count)}</div>
          ) : (
            <button type="button" className={mergeClasses(styles.bar, styles.button)} onClick={open}>
              {content(show ?? name, count)}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
};

const useColumnChartStyles = makeStyles({
  chart: {
    ...bareList,
    display: 'flex',
    gap: tokens.spacingHorizontalXXS,
    height: '196px',
    // Names that would be cut off: the columns wrap into rows of six.
    '@media (max-width: 479px)': { flexWrap: 'wrap', height: 'auto' },
  },
  place: { flex: '1 1 0', minWidth: 0, '@media (max-width: 479px)': { flexBasis: '15%', height: '196px' } },
  column: {
    ...bareButton,
    ...stacked(tokens.spacingVerticalXS),
    // Browsers align the content of a button at its start, which leaves a column without text no width.
    alignItems: 'stretch',
    justifyContent: 'flex-end',
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
  const styles = useColumnChartStyles();
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

const width = 120;
const height = 28;

const useSparklineStyles = makeStyles({
  line: {
    display: 'block',
    flexShrink: 0,
    fill: 'none',
    stroke: tokens.colorCompoundBrandStroke,
    strokeWidth: '1.5px',
    '@media (forced-colors: active)': { stroke: 'CanvasText' },
  },
  /** The base line, without which a line that has just begun would float. */
  base: { stroke: tokens.colorNeutralStroke1, strokeWidth: '1px' },
});

type SparklineProps = {
  /** Oldest first. */
  readonly values: readonly number[];
  /** How many values fill its width. */
  readonly length: number;
  readonly label: string;
};

/** A small chart of the latest values of a figure. */
export const Sparkline = ({ values, length, label }: SparklineProps) => {
  const styles = useSparklineStyles();
  return (
    <svg className={styles.line} role="img" aria-label={label} width={width} height={height}>
      <path className={styles.base} d={`M0 ${height - 0.5}H${width}`} />
      <path d={linePath(values, length, width, height)} />
    </svg>
  );
};

const margin = 2;

/**
 * The SVG path of `values`, oldest first, with the newest at the right edge of `width` by `height` pixels. `length`
 * values fill the width; the greatest value touches the top, 0 the bottom.
 */
export const linePath = (values: readonly number[], length: number, width: number, height: number): string => {
  const top = Math.max(...values, 1);
  const step = width / (length - 1);
  const points = values.map((value, index) => {
    const x = width - (values.length - 1 - index) * step;
    const y = height - margin - (value / top) * (height - 2 * margin);
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  });
  return points.length < 2 ? '' : `M${points.join('L')}`;
};
