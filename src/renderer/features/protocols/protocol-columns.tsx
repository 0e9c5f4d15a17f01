import { CloudCheckmark16Regular } from '@fluentui/react-icons';
import type { CachedProtocol, ProtocolColumn } from '../../../contract/offline.ts';
import type { ProtocolSummary } from '../../../contract/resources.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { ServiceTime } from '../../ui/service-time.tsx';
import { t } from '../../words/words.ts';

type Sortable<Row> = Column<Row> & { readonly sort: ProtocolColumn };

export const protocolColumns: readonly Sortable<ProtocolSummary>[] = [
  { header: t('common.address'), sort: 'Address', cell: (row) => row.Address || row.FacilityId },
  { header: t('common.city'), width: '16%', sort: 'City', cell: (row) => row.City },
  { header: t('protocols.column.ZipCode'), width: '100px', sort: 'ZipCode', cell: (row) => row.ZipCode },
  { header: t('common.facility'), width: '16%', sort: 'FacilityId', cell: (row) => row.FacilityId },
  {
    header: t('protocols.column.InspectionDate'),
    width: '128px',
    sort: 'InspectionDate',
    cell: (row) => <ServiceTime raw={row.InspectionDate} show="day" />,
  },
  { header: t('protocols.column.Points'), width: '88px', align: 'end', sort: 'Points', cell: (row) => row.Points },
];

/** Those that make room for one more column in a narrow window. */
const narrowable: readonly ProtocolColumn[] = ['ZipCode', 'FacilityId'];

/** Of protocols that are kept here: also whether what belongs to them is. */
export const keptColumns: readonly Column<CachedProtocol>[] = [
  ...protocolColumns.map((column) => ({ ...column, minor: narrowable.includes(column.sort) })),
  {
    header: t('protocols.kept.offline'),
    width: '120px',
    cell: ({ availableOffline }) =>
      availableOffline ? (
        <>
          <CloudCheckmark16Regular aria-hidden="true" /> {t('protocols.kept.complete')}
        </>
      ) : (
        t('protocols.kept.listOnly')
      ),
  },
];
