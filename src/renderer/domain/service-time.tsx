import { formatDay, formatMoment, toMilliseconds } from '../words/dates.ts';
import { t } from '../words/words.ts';

type ServiceTimeProps = {
  /** The service's number, whose size tells the unit. */
  readonly raw: number;
  readonly show: 'day' | 'moment';
};

/** A time from the service in local time. */
export const serviceTimeText = (raw: number, show: ServiceTimeProps['show']): string =>
  (show === 'day' ? formatDay : formatMoment)(toMilliseconds(raw));

/** A time from the service in local time; its tooltip has the number that the service sent. */
export const ServiceTime = ({ raw, show }: ServiceTimeProps) => (
  <span title={t('common.rawTime', { raw })}>{serviceTimeText(raw, show)}</span>
);
