import { makeStyles, tokens } from '@fluentui/react-components';

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
  /** The line at the value 0. Without it, a chart with only a few values would seem to float. */
  base: { stroke: tokens.colorNeutralStroke1, strokeWidth: '1px' },
});

type SparklineProps = {
  readonly values: readonly number[];
  /** The number of values that fill the width of the chart. */
  readonly length: number;
  readonly label: string;
};

export const Sparkline = ({ values, length, label }: SparklineProps) => {
  const styles = useSparklineStyles();
  return (
    <svg className={styles.line} role="img" aria-label={label} width={width} height={height}>
      <path className={styles.base} d={`M0 ${height - 0.5}H${width}`} />
      <path d={linePath(values, length)} />
    </svg>
  );
};

const margin = 2;

/**
 * Returns the SVG path of `values`, oldest first, with the newest at the right edge of the chart, whose width has room
 * for `length` values. The bottom is 0; the top is the greatest value or 1, whichever is greater. The path is empty for
 * fewer than two values.
 */
const linePath = (values: readonly number[], length: number): string => {
  const top = Math.max(...values, 1);
  const step = width / (length - 1);
  const points = values.map((value, index) => {
    const x = width - (values.length - 1 - index) * step;
    const y = height - margin - (value / top) * (height - 2 * margin);
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  });
  return points.length < 2 ? '' : `M${points.join('L')}`;
};
