/** Filters of a list: a button in the command bar, and a bar below it that the button shows. */
import { Button, makeStyles, ToggleButton, tokens } from '@fluentui/react-components';
import { Filter20Filled, Filter20Regular } from '@fluentui/react-icons';
import type { ReactNode } from 'react';
import { t } from '../words/words.ts';

type FilterButtonProps = {
  /** How many filters are in use. */
  readonly count: number;
  /** Whether the bar is shown. */
  readonly shown: boolean;
  readonly onToggle: (shown: boolean) => void;
};

/** Shows and hides the filters, and counts those in use. */
export const FilterButton = ({ count, shown, onToggle }: FilterButtonProps) => (
  <ToggleButton
    appearance="subtle"
    icon={count > 0 ? <Filter20Filled /> : <Filter20Regular />}
    checked={shown}
    onClick={() => onToggle(!shown)}
  >
    {count > 0 ? t('protocols.filter.count', { count }) : t('protocols.filter.label')}
  </ToggleButton>
);

const useStyles = makeStyles({
  bar: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, minmax(148px, 1fr))',
    alignItems: 'end',
    flexShrink: 0,
    gap: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalM}`,
    padding: `${tokens.spacingVerticalM} ${tokens.spacingHorizontalM}`,
    borderRadius: tokens.borderRadiusLarge,
    backgroundColor: tokens.colorNeutralBackground2,
  },
  clear: { justifySelf: 'start' },
});

type FilterBarProps = {
  readonly count: number;
  readonly onClear: () => void;
  readonly children: ReactNode;
};

/** The filters, and a button that clears them. */
export const FilterBar = ({ count, onClear, children }: FilterBarProps) => {
  const styles = useStyles();
  return (
    <search className={styles.bar} aria-label={t('protocols.filter.label')}>
      {children}
      <Button className={styles.clear} size="small" disabledFocusable={count === 0} onClick={onClear}>
        {t('common.clearFilters')}
      </Button>
    </search>
  );
};
