import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { Filter16Filled, Filter16Regular } from '@fluentui/react-icons';
import { useEffect } from 'react';
import type { ErrorCode } from '../../../contract/errors.ts';
import type { Batch } from '../../../contract/uploads.ts';
import { useErrorGroups } from '../../queries/uploads.ts';
import { bareButton } from '../../ui/bare.ts';
import { fileErrorText, t } from '../../words/words.ts';

const useStyles = makeStyles({
  groups: {
    flexShrink: 0,
    listStyle: 'none',
    margin: 0,
    padding: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalL}`,
    maxHeight: '132px',
    overflow: 'auto',
  },
  group: {
    ...bareButton,
    display: 'grid',
    gridTemplateColumns: '84px minmax(0, 1fr) auto',
    gap: tokens.spacingHorizontalM,
    alignItems: 'center',
    width: '100%',
    padding: `${tokens.spacingVerticalSNudge} ${tokens.spacingHorizontalS}`,
    borderRadius: tokens.borderRadiusMedium,
    textAlign: 'start',
    cursor: 'pointer',
    ':hover': { backgroundColor: tokens.colorNeutralBackground1Hover },
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '-2px' },
  },
  chosen: {
    backgroundColor: tokens.colorNeutralBackground1Selected,
    ':hover': { backgroundColor: tokens.colorNeutralBackground1Selected },
    '@media (forced-colors: active)': { outline: '1px solid Highlight', outlineOffset: '-1px' },
  },
  count: { fontWeight: tokens.fontWeightSemibold, fontVariantNumeric: 'tabular-nums' },
  icon: { color: tokens.colorNeutralForeground3 },
});

type ErrorGroupsProps = {
  readonly batch: Batch;
  /** The reason whose files alone are shown. */
  readonly chosen: ErrorCode | undefined;
  readonly onChoose: (code: ErrorCode | undefined) => void;
};

/**
 * Why files of a batch failed, and what to do about each reason. Choosing one shows only its files, choosing it again
 * all.
 */
export const ErrorGroups = ({ batch: { batchId }, chosen, onChoose }: ErrorGroupsProps) => {
  const styles = useStyles();
  const { value } = useErrorGroups(batchId);
  const isGone = chosen !== undefined && value !== undefined && !value.some(({ code }) => code === chosen);
  useEffect(() => {
    if (isGone) onChoose(undefined);
  }, [isGone, onChoose]);
  if (value === undefined || value.length === 0) return null;
  return (
    <ul className={styles.groups} aria-label={t('uploads.files.reasons')}>
      {value.map(({ code, files }) => {
        const { title, todo } = fileErrorText({ code, details: {} });
        const isChosen = code === chosen;
        const Icon = isChosen ? Filter16Filled : Filter16Regular;
        return (
          <li key={code}>
            <button
              type="button"
              className={mergeClasses(styles.group, isChosen && styles.chosen)}
              aria-pressed={isChosen}
              title={isChosen ? t('uploads.files.everyReason') : t('uploads.files.onlyReason')}
              onClick={() => onChoose(isChosen ? undefined : code)}
            >
              <span className={styles.count}>{t('count.file', { count: files })}</span>
              <span>
                <strong>{title}</strong> {todo}
              </span>
              <Icon className={styles.icon} aria-hidden="true" />
            </button>
          </li>
        );
      })}
    </ul>
  );
};
