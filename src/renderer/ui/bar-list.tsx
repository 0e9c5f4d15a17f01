import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import { bareButton } from './bare.ts';
import { useUi } from './ui-context.ts';

const useStyles = makeStyles({
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
  /** Opens what was counted. */
  readonly open?: () => void;
};

/** Counts as bars to compare: a chart that is a list, so that everyone can read and use it. */
export const BarList = ({ label, bars }: { readonly label: string; readonly bars: readonly Bar[] }) => {
  const styles = useStyles();
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
