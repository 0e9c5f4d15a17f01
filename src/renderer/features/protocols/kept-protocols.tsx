import { useCallback } from 'react';
import { ProtocolColumn, type ProtocolTableQuery } from '../../../contract/offline.ts';
import { useApp, useDesk } from '../../app/context.tsx';
import { Failure } from '../../app/failure.tsx';
import type { Month } from '../../app/places.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { useSort } from '../../ui/data-table/use-sort.ts';
import { Empty } from '../../ui/empty.tsx';
import { Loading } from '../../ui/loading.tsx';
import { PageFill } from '../../ui/page-fill.tsx';
import { useWindows } from '../../ui/use-windows.ts';
import { rowIn } from '../../ui/windows.ts';
import { t } from '../../words/words.ts';
import { KeptSummary } from './kept-summary.tsx';
import { keptColumns } from './protocol-columns.tsx';

/** The longest text that main searches for. */
const longestText = 200;

const empty = (query: string, month: Month | undefined) => {
  if (query !== '') return <Empty title={t('protocols.kept.noMatch', { query })} />;
  if (month !== undefined) return <Empty title={t('protocols.kept.noMonth')} />;
  return <Empty title={t('protocols.kept.empty')} hint={t('protocols.kept.emptyHint')} />;
};

export type KeptProtocolsProps = { readonly query: string; readonly month: Month | undefined };

/** The protocols on this computer, in any order, without asking the service. */
export const KeptProtocols = ({ query, month }: KeptProtocolsProps) => {
  const desk = useDesk();
  const open = useApp((state) => state.open);
  const [sort, setSort] = useSort('kept-protocols');
  const column = ProtocolColumn.safeParse(sort?.by).data;
  const read = useCallback(
    async (offset: number, limit: number) => {
      const input: Partial<ProtocolTableQuery> = {
        text: query.slice(0, longestText),
        ...(month && { from: month.from, before: month.before }),
        ...(column && sort && { sort: column, descending: sort.descending }),
      };
      const { Items, total } = await desk.protocols.table({ ...input, offset, limit });
      return { rows: Items, total };
    },
    [desk, query, month, sort, column],
  );
  const { held, error, onRange, refresh } = useWindows(read);
  if (error !== undefined) return <Failure error={error} onRetry={() => refresh(0)} />;
  if (held === undefined) return <Loading label={t('protocols.loading')} />;
  return (
    <PageFill>
      <KeptSummary total={held.total} read={read} />
      {held.total === 0 ? (
        empty(query, month)
      ) : (
        <DataTable
          id="kept-protocols"
          label={t('protocols.title')}
          columns={keptColumns}
          count={held.total}
          rowAt={(index) => rowIn(held, index)}
          sort={sort}
          onSort={setSort}
          onRange={onRange}
          open={(protocol) => open({ name: 'protocol', protocol })}
        />
      )}
    </PageFill>
  );
};
