import { MessageBar, MessageBarBody, MessageBarTitle, makeStyles, tokens } from '@fluentui/react-components';
import type { Reading } from '../../contract/models.ts';
import { t } from '../words/words.ts';
import { formatAge } from './amounts.ts';
import { formatMoment } from './dates.ts';
import { useNow } from './use-now.ts';

const useStyles = makeStyles({
  notes: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalS },
});

/** Where and of when `reading` is, when it does not come fresh and whole from the service. */
export const ReadingNotes = ({ reading }: { readonly reading: Omit<Reading<unknown>, 'value'> }) => {
  const styles = useStyles();
  const now = useNow(60_000);
  const { source, fetchedAt, unreadable } = reading;
  if (source === 'service' && unreadable === 0) return null;
  return (
    <div className={styles.notes}>
      {source === 'cache' && (
        <MessageBar intent="info">
          <MessageBarBody>
            <MessageBarTitle>{t('common.fromCache')}</MessageBarTitle>{' '}
            {t('common.fetched', { age: formatAge(fetchedAt, now), at: formatMoment(fetchedAt) })}
          </MessageBarBody>
        </MessageBar>
      )}
      {unreadable > 0 && (
        <MessageBar intent="warning">
          <MessageBarBody>{t('common.unreadable', { count: unreadable })}</MessageBarBody>
        </MessageBar>
      )}
    </div>
  );
};
