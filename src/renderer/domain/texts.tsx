import { timeCells } from '../ui/data-table/columns.tsx';
import { formatDay, formatMoment, toMilliseconds } from '../words/dates.ts';
import { t, textOf } from '../words/words.ts';

export const addressOf = ({ Address, FacilityId }: { readonly Address: string; readonly FacilityId: string }): string =>
  Address || FacilityId;

/**
 * Returns the text of a code of the service in the app's language. A code without a text is spelled out, such as "On
 * hold" for `ON_HOLD`. A value that is not a code is returned unchanged.
 */
export const codeWords = (value: string): string =>
  /^[A-Z]{2,}(_[A-Z]+)*$/.test(value) ? (textOf(`codes.${value}`) ?? spelled(value)) : value;

const spelled = (code: string): string => code.charAt(0) + code.slice(1).toLowerCase().replaceAll('_', ' ');

type ServiceTimeProps = {
  /** The time as the service sent it. Its unit is chosen in the settings, or detected from its magnitude. */
  readonly raw: number;
  readonly show: 'day' | 'moment';
};

export const serviceTimeText = (raw: number, show: ServiceTimeProps['show']): string =>
  (show === 'day' ? formatDay : formatMoment)(toMilliseconds(raw));

export const ServiceTime = ({ raw, show }: ServiceTimeProps) => (
  <span title={t('common.rawTime', { raw })}>{serviceTimeText(raw, show)}</span>
);

export const serviceTimeCells = <Row,>(rawOf: (row: Row) => number, show: ServiceTimeProps['show']) => ({
  ...timeCells((row: Row) => toMilliseconds(rawOf(row)), show),
  cell: (row: Row) => <ServiceTime raw={rawOf(row)} show={show} />,
  text: (row: Row) => serviceTimeText(rawOf(row), show),
});
