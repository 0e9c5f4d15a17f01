import type { Reading } from '../../../contract/resources.ts';
import { Message } from '../../ui/message.tsx';
import { useNow } from '../../ui/use-now.ts';
import { formatAge } from '../../words/amounts.ts';
import { formatMoment } from '../../words/dates.ts';
import { t } from '../../words/words.ts';

/** How old `reading` is, if it does not come from the service. */
export const ReadingNotes = ({ reading }: { readonly reading: Omit<Reading<unknown>, 'value'> }) => {
  const now = useNow(60_000);
  const { source, fetchedAtMs } = reading;
  return source === 'service' ? null : (
    <Message intent="info">
      {t('common.fromCache', { age: formatAge(fetchedAtMs, now), at: formatMoment(fetchedAtMs) })}
    </Message>
  );
};
