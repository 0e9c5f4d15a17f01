import { useCallback } from 'react';
import type { ProtocolSummary } from '../../../contract/resources.ts';
import { useApp } from '../../app/context.tsx';
import { Failure } from '../../app/failure.tsx';
import { FailureBar } from '../../app/failure-bar.tsx';
import type { Column } from '../../ui/data-table/column.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Loading } from '../../ui/loading.tsx';
import { PageFill } from '../../ui/page-fill.tsx';
import { ReadingNotes } from '../../ui/reading-notes.tsx';
import { ServiceTime } from '../../ui/service-time.tsx';
import type { ProtocolList } from './protocol-list.ts';

const columns: readonly Column<ProtocolSummary>[] = [
  { header: 'Address', cell: (row) => row.Address || row.FacilityId },
  { header: 'City', width: '17%', cell: (row) => row.City },
  { header: 'Zip code', width: '92px', cell: (row) => row.ZipCode },
  { header: 'Facility', width: '16%', cell: (row) => row.FacilityId },
  { header: 'Inspected', width: '128px', cell: (row) => <ServiceTime raw={row.InspectionDate} show="day" /> },
  { header: 'Points', width: '76px', align: 'end', cell: (row) => row.Points },
];

/** How many rows before the end of what is loaded the next page is asked for. */
const ahead = 20;

export type ProtocolTableProps = {
  readonly list: ProtocolList;
  readonly query: string;
  readonly onMore: () => void;
  readonly onRetry: () => void;
};

/** The protocols in each state of their list; scrolling towards the end loads more. */
export const ProtocolTable = ({ list, query, onMore, onRetry }: ProtocolTableProps) => {
  const open = useApp((state) => state.open);
  const { loaded, error, busy } = list;
  const rows = loaded?.rows ?? [];
  const onRange = useCallback(
    (_first: number, last: number) => {
      // After a failure it is up to the person to try again.
      if (error === undefined && last >= rows.length - ahead) onMore();
    },
    [rows.length, error, onMore],
  );
  if (loaded === undefined) {
    return error !== undefined ? <Failure error={error} onRetry={onRetry} /> : <Loading label="Loading protocols" />;
  }
  return (
    <PageFill>
      <ReadingNotes reading={loaded} />
      {rows.length === 0 ? (
        <Empty
          title={query === '' ? 'There are no protocols yet.' : `No protocol matches “${query}”.`}
          {...(query === '' ? {} : { hint: 'Try another part of the address or the city.' })}
        />
      ) : (
        <DataTable
          key={loaded.since}
          label="Protocols"
          columns={columns}
          count={rows.length}
          rowAt={(index) => rows[index]}
          total={loaded.total}
          busy={busy !== undefined}
          open={(protocol) => open({ name: 'protocol', protocol })}
          onRange={onRange}
        />
      )}
      {error !== undefined && <FailureBar error={error} action="Load more" onAction={onMore} />}
    </PageFill>
  );
};
