import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { Filter20Filled, Filter20Regular } from '@fluentui/react-icons';
import { Fragment, type ReactNode, useState } from 'react';
import { t } from '../words/words.ts';

const useStyles = makeStyles({
  // The look of Fluent's toggle button, whose styles for all its appearances are too large for the first screen.
  pressed: {
    backgroundColor: tokens.colorSubtleBackgroundSelected,
    color: tokens.colorNeutralForeground2Selected,
    '& .fui-Button__icon': { color: tokens.colorNeutralForeground2BrandSelected },
    '@media (forced-colors: active)': {
      forcedColorAdjust: 'none',
      border: '1px solid Highlight',
      backgroundColor: 'Highlight',
      color: 'HighlightText',
      '& .fui-Button__icon, & svg': { forcedColorAdjust: 'inherit', color: 'inherit' },
    },
  },
  bar: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, minmax(148px, 1fr))',
    alignItems: 'end',
    flexShrink: 0,
    gap: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalM}`,
    padding: `${tokens.spacingVerticalM} ${tokens.spacingHorizontalM}`,
    borderRadius: tokens.borderRadiusLarge,
    backgroundColor: tokens.colorNeutralBackground2,
    // A validation message takes up no room, because a button that is about to be clicked must not move when the field
    // is left. The message covers what is below the field, and clicks pass through the message.
    '& .fui-Field': { position: 'relative' },
    '& .fui-Field__validationMessage': {
      position: 'absolute',
      top: '100%',
      zIndex: 3,
      paddingBlock: tokens.spacingVerticalXS,
      paddingInlineEnd: tokens.spacingHorizontalXS,
      borderRadius: tokens.borderRadiusMedium,
      backgroundColor: tokens.colorNeutralBackground1,
      boxShadow: tokens.shadow8,
      pointerEvents: 'none',
    },
  },
  clear: { justifySelf: 'start' },
});

/**
 * Returns the button that shows or hides the filters, and `barOf`, which renders the bar with the given fields and a
 * button that clears the filters. `count`: the number of filters in use.
 */
export const useFilters = (count: number, onClear: () => void) => {
  const styles = useStyles();
  const [isShown, setShown] = useState(false);
  const [clearings, setClearings] = useState(0);
  const clear = (): void => {
    setClearings(clearings + 1);
    onClear();
  };
  return {
    button: (
      <Button
        className={isShown ? styles.pressed : ''}
        appearance="subtle"
        icon={count > 0 ? <Filter20Filled /> : <Filter20Regular />}
        aria-pressed={isShown}
        onClick={() => setShown(!isShown)}
      >
        {count > 0 ? t('protocols.filter.count', { count }) : t('protocols.filter.label')}
      </Button>
    ),
    barOf: (fields: ReactNode): ReactNode =>
      isShown && (
        <search className={styles.bar} aria-label={t('protocols.filter.label')}>
          {/* A new key mounts new fields: the old ones would keep a typed text that is not a date. */}
          <Fragment key={clearings}>{fields}</Fragment>
          <Button className={styles.clear} size="small" onClick={clear}>
            {t('common.clearFilters')}
          </Button>
        </search>
      ),
  };
};
