import type { CachedProtocol } from '../../../contract/resources.ts';
import type { Rows } from '../../queries/use-window-query.ts';
import { toMilliseconds } from '../../words/dates.ts';
import { t } from '../../words/words.ts';

/** The most rows of one call, and of one file. */
const step = 1000;
const mostRows = 200_000;

/** A time of the service as an ISO day; empty if it has none. */
const isoDay = (raw: number): string => {
  const date = new Date(toMilliseconds(raw));
  return raw === 0 || Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 10);
};

type Sheet = { readonly name: string; readonly header: string[]; readonly rows: (string | number)[][] };

type Read = (offset: number, limit: number) => Promise<Rows<CachedProtocol>>;

/** All rows of `read`, as a sheet. */
export const protocolSheet = async (read: Read): Promise<Sheet> => {
  const rows: Sheet['rows'] = [];
  for (let total = 1; rows.length < Math.min(total, mostRows); ) {
    const answer = await read(rows.length, step);
    if (answer.rows.length === 0) break;
    total = answer.total;
    for (const row of answer.rows) {
      const { Address, City, ZipCode, FacilityId, InspectionDate, Points, InspectionProtocolId } = row;
      rows.push([Address, City, ZipCode, FacilityId, isoDay(InspectionDate), Points, InspectionProtocolId]);
    }
  }
  const header = [
    t('common.address'),
    t('common.city'),
    t('protocols.column.ZipCode'),
    t('common.facility'),
    t('protocols.column.InspectionDate'),
    t('protocols.column.Points'),
    t('protocol.id'),
  ];
  return { name: t('protocols.title'), header, rows };
};
