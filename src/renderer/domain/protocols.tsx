import { CloudCheckmark16Regular } from '@fluentui/react-icons';
import type { ProtocolColumn } from '../../contract/protocols.ts';
import type { CachedProtocol } from '../../contract/resources.ts';
import type { Column } from '../ui/data-table/columns.tsx';
import { t } from '../words/words.ts';
import { addressOf, serviceTimeCells } from './texts.tsx';

type ProtocolTableColumn = Column<CachedProtocol> & { readonly sort?: ProtocolColumn };

const onTheLine = { verticalAlign: 'text-bottom' } as const;

/** The columns of tables of protocols. A narrow window hides the postcode and the facility. */
export const protocolColumns: readonly ProtocolTableColumn[] = [
  { id: 'Address', header: 'common.address', sort: 'Address', cell: addressOf },
  { id: 'City', header: 'common.city', width: '16%', sort: 'City', cell: (row) => row.City },
  {
    id: 'Postcode',
    header: 'protocols.column.ZipCode',
    width: '100px',
    sort: 'ZipCode',
    minor: true,
    cell: (row) => row.ZipCode,
  },
  {
    id: 'Facility',
    header: 'common.facility',
    width: '16%',
    sort: 'FacilityId',
    minor: true,
    cell: (row) => row.FacilityId,
  },
  {
    id: 'Inspected',
    header: 'protocols.column.InspectionDate',
    width: '128px',
    sort: 'InspectionDate',
    ...serviceTimeCells((row) => row.InspectionDate, 'day'),
  },
  {
    id: 'Points',
    header: 'protocols.column.Points',
    width: '88px',
    align: 'end',
    sort: 'Points',
    cell: (row) => row.Points,
  },
  {
    id: 'Offline',
    header: 'protocols.offline',
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
  { id: 'ID', header: 'protocol.id', width: '18%', rare: true, cell: (row) => row.InspectionProtocolId },
];
