import { formatDay, formatMoment, toMilliseconds } from '../words/dates.ts';
import { t } from '../words/words.ts';

export type ServiceTimeProps = {
  /** The service's number, in the unit its size tells. */
  readonly raw: number;
  readonly show: 'day' | 'moment';
};

/** A time of the service in local time; its tooltip has the number as the service gave it. */
export const ServiceTime = ({ raw, show }: ServiceTimeProps) => (
  <span title={t('common.rawTime', { raw })}>{(show === 'day' ? formatDay : formatMoment)(toMilliseconds(raw))}</span>
);
