import { CloudCheckmark16Regular } from '@fluentui/react-icons';
import type { ProtocolColumn } from '../../../contract/protocols.ts';
import type { CachedProtocol } from '../../../contract/resources.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { t } from '../../words/words.ts';
import { addressOf } from '../address.ts';
import { ServiceTime, serviceTimeText } from '../service-time.tsx';

type ProtocolTableColumn = Column<CachedProtocol> & { readonly sort?: ProtocolColumn };

/** Aligns an icon with the word after it. */
const onTheLine = { verticalAlign: 'text-bottom' } as const;

/** A narrow window leaves out the zip code and the facility. */
export const protocolColumns: readonly ProtocolTableColumn[] = [
  { id: 'Address', header: () => t('common.address'), sort: 'Address', cell: addressOf },
  { id: 'City', header: () => t('common.city'), width: '16%', sort: 'City', cell: (row) => row.City },
  {
    id: 'Postcode',
    header: () => t('protocols.column.ZipCode'),
    width: '100px',
    sort: 'ZipCode',
    minor: true,
    cell: (row) => row.ZipCode,
  },
  {
    id: 'Facility',
    header: () => t('common.facility'),
    width: '16%',
    sort: 'FacilityId',
    minor: true,
    cell: (row) => row.FacilityId,
  },
  {
    id: 'Inspected',
    header: () => t('protocols.column.InspectionDate'),
    width: '128px',
    sort: 'InspectionDate',
    cell: (row) => <ServiceTime raw={row.InspectionDate} show="day" />,
    text: (row) => serviceTimeText(row.InspectionDate, 'day'),
  },
  {
    id: 'Points',
    header: () => t('protocols.column.Points'),
    width: '88px',
    align: 'end',
    sort: 'Points',
    cell: (row) => row.Points,
  },
  {
    id: 'Offline',
    header: () => t('protocols.offline'),
    width: '120px',
    cell: ({ availableOffline }) =>
      availableOffline ? (
        <>
          <CloudCheckmark16Regular aria-hidden="true" style={onTheLine} /> {t('protocols.complete')}
        </>
      ) : (
        t('protocols.listOnly')
      ),
    text: ({ availableOffline }) => t(availableOffline ? 'protocols.complete' : 'protocols.listOnly'),
  },
];
