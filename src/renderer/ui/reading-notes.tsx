import { makeStyles, tokens } from '@fluentui/react-components';
import type { Reading } from '../../contract/models.ts';
import { t } from '../words/words.ts';
import { formatAge } from './amounts.ts';
import { formatMoment } from './dates.ts';
import { Message } from './message.tsx';
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
        <Message intent="info" title={t('common.fromCache')}>
          {t('common.fetched', { age: formatAge(fetchedAt, now), at: formatMoment(fetchedAt) })}
        </Message>
      )}
      {unreadable > 0 && <Message intent="warning">{t('common.unreadable', { count: unreadable })}</Message>}
    </div>
  );
};
