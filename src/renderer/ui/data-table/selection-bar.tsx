import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { useUi } from '../ui-context.ts';

const useStyles = makeStyles({
  // Over the rows, so that none of them moves while several are selected.
  bar: {
    position: 'sticky',
    left: 0,
    bottom: 0,
    zIndex: 1,
    display: 'flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalM,
    boxSizing: 'border-box',
    minHeight: '36px',
    padding: `0 ${tokens.spacingHorizontalM}`,
    borderTop: `1px solid ${tokens.colorNeutralStroke1}`,
    backgroundColor: tokens.colorNeutralBackground3,
    color: tokens.colorNeutralForeground1,
    fontSize: tokens.fontSizeBase200,
    ':empty': { display: 'none' },
    '@media print': { display: 'none' },
  },
  said: { color: tokens.colorNeutralForeground2 },
});

type SelectionBarProps = {
  /** How many rows are selected, if nothing else on the page says so. */
  readonly selected: number;
  readonly said: string | undefined;
  readonly onCopy: () => void;
  readonly onClear: () => void;
};

/** At the end of a table: how many rows are selected, and what was copied. */
export const SelectionBar = ({ selected, said, onCopy, onClear }: SelectionBarProps) => {
  const styles = useStyles();
  const { texts } = useUi();
  const isShown = selected > 0 || said !== undefined;
  return (
    <div className={isShown ? styles.bar : undefined}>
      <span role="status">{selected > 0 && texts.selected(selected)}</span>
      {selected > 0 && (
        <>
          <Button size="small" onClick={onCopy}>
            {texts.copyRows}
          </Button>
          <Button size="small" appearance="subtle" onClick={onClear}>
            {texts.clearSelection}
          </Button>
        </>
      )}
      <span role="status" className={styles.said}>
        {said}
      </span>
    </div>
  );
};
