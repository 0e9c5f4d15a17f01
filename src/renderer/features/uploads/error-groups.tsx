import { makeStyles, Text, tokens } from '@fluentui/react-components';
import { useCallback } from 'react';
import { errorText } from '../../../contract/error-text.ts';
import type { Batch } from '../../../contract/models.ts';
import { useDesk } from '../../app/context.tsx';
import { useAnswer } from '../../ui/use-answer.ts';
import { t } from '../../words/words.ts';

const useStyles = makeStyles({
  groups: {
    listStyle: 'none',
    margin: 0,
    padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalXXL}`,
    display: 'grid',
    gap: tokens.spacingVerticalS,
    maxHeight: '132px',
    overflow: 'auto',
  },
  group: {
    display: 'grid',
    gridTemplateColumns: '96px minmax(0, 1fr)',
    gap: tokens.spacingHorizontalM,
    alignItems: 'baseline',
  },
  count: { fontWeight: tokens.fontWeightSemibold, fontVariantNumeric: 'tabular-nums' },
});

/** Why files of a batch failed, and what to do about each reason. Read anew whenever more have failed. */
export const ErrorGroups = ({ batch: { batch, failed } }: { readonly batch: Batch }) => {
  const styles = useStyles();
  const desk = useDesk();
  const ask = useCallback(
    async () => (failed === 0 ? [] : await desk.uploads.errorGroups({ batch })),
    [desk, batch, failed],
  );
  const { value = [] } = useAnswer(ask);
  if (value.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it.
    <ul className={styles.groups} aria-label={t('uploads.files.reasons')} tabIndex={0}>
      {value.map(({ code, files }) => {
        const { title, todo } = errorText({ code, details: {} });
        return (
          <li key={code} className={styles.group}>
            <span className={styles.count}>{t('count.file', { count: files })}</span>
            <Text>
              <strong>{title}</strong> {todo}
            </Text>
          </li>
        );
      })}
    </ul>
  );
};
