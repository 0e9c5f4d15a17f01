import { Button, makeStyles, mergeClasses, Tooltip, tokens } from '@fluentui/react-components';
import { Dismiss20Regular } from '@fluentui/react-icons';
import type { ReactNode } from 'react';
import { lines, stacked } from './styles.ts';

/** The style of a panel that floats over the lower right corner of the window. */
export const floating = {
  position: 'fixed',
  zIndex: 2,
  inset: `auto ${tokens.spacingHorizontalL} ${tokens.spacingVerticalL} auto`,
  boxShadow: tokens.shadow16,
} as const;

const useStyles = makeStyles({
  panel: {
    boxSizing: 'border-box',
    ...stacked(tokens.spacingVerticalS),
    overflow: 'auto',
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusLarge,
    backgroundColor: tokens.colorNeutralBackground1,
    overflowWrap: 'anywhere',
    '& > *': { flexShrink: 0 },
    // At 400 % zoom, the panel fills the window. Next to the list, it would be too narrow to read.
    '@media screen and (max-width: 479px), screen and (max-height: 320px)': {
      inset: 0,
      width: 'auto',
      height: 'auto',
      maxHeight: 'none',
      border: 'none',
      borderRadius: 0,
    },
    '@media print': { display: 'none' },
  },
  header: { display: 'flex', alignItems: 'flex-start', gap: tokens.spacingHorizontalS },
  title: { ...lines(3), flexGrow: 1, margin: `${tokens.spacingVerticalXS} 0`, fontSize: tokens.fontSizeBase400 },
});

type SidePanelProps = {
  readonly label: string;
  /** A text from the service or of this computer, which must not be translated. */
  readonly title: string;
  readonly tooltip?: string;
  readonly Heading: 'h2' | 'h3';
  readonly closeLabel: string;
  readonly onClose: () => void;
  readonly className: string;
  readonly children: ReactNode;
};

/** A panel next to a list, with the details of one row. */
export const SidePanel = (props: SidePanelProps) => {
  const { label, title, tooltip, Heading, closeLabel, onClose, className, children } = props;
  const styles = useStyles();
  return (
    <aside className={mergeClasses(styles.panel, className)} aria-label={label}>
      <div className={styles.header}>
        <Heading className={styles.title} title={tooltip} translate="no">
          {title}
        </Heading>
        <Tooltip content={closeLabel} relationship="label">
          <Button appearance="subtle" icon={<Dismiss20Regular />} onClick={onClose} />
        </Tooltip>
      </div>
      {children}
    </aside>
  );
};
