import { useCallback } from 'react';
import { useApp } from '../../app/context.tsx';
import { Failure } from '../../app/failure.tsx';
import { FailureBar } from '../../app/failure-bar.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Loading } from '../../ui/loading.tsx';
import { PageFill } from '../../ui/page-fill.tsx';
import { ReadingNotes } from '../../ui/reading-notes.tsx';
import { t } from '../../words/words.ts';
import { protocolColumns } from './protocol-columns.tsx';
import type { ProtocolList } from './protocol-list.ts';

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
    return error !== undefined ? (
      <Failure error={error} onRetry={onRetry} />
    ) : (
      <Loading label={t('protocols.loading')} />
    );
  }
  return (
    <PageFill>
      {busy !== 'list' && <ReadingNotes reading={loaded} />}
      {rows.length === 0 ? (
        <Empty
          title={query === '' ? t('protocols.empty') : t('protocols.noMatch', { query })}
          {...(query === '' ? {} : { hint: t('protocols.noMatchHint') })}
        />
      ) : (
        <DataTable
          id="protocols"
          key={loaded.since}
          label={t('protocols.title')}
          columns={protocolColumns}
          count={rows.length}
          rowAt={(index) => rows[index]}
          total={loaded.total}
          busy={busy !== undefined}
          open={(protocol) => open({ name: 'protocol', protocol })}
          onRange={onRange}
        />
      )}
      {error !== undefined && <FailureBar error={error} action={t('protocols.loadMore')} onAction={onMore} />}
    </PageFill>
  );
};
