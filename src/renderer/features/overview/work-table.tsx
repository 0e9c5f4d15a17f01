import { Button } from '@fluentui/react-components';
import { useMemo, useRef, useState } from 'react';
import { useAssignmentTable, type WorkFilter, workColumns } from '../../domain/assignments/assignments.tsx';
import { assignmentPlace, useApp } from '../../state/store.tsx';
import { useSort } from '../../ui/data-table/columns.tsx';
import { DataTable, type TableHandle } from '../../ui/data-table/data-table.tsx';
import { useOnChange } from '../../ui/hooks.ts';
import { Empty, Loading } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';

/** The number of rows that are shown at first, and at most. The page of all assignments shows longer lists. */
const [FIRST, MOST] = [10, 50];

type WorkTableProps = {
  readonly filter: WorkFilter;
  readonly known: number | undefined;
  readonly isLoading: boolean;
};

export const WorkTable = ({ filter, known, isLoading }: WorkTableProps) => {
  const open = useApp((state) => state.open);
  const [sort, setSort] = useSort('work');
  const columns = useMemo(() => workColumns(filter.group), [filter.group]);
  const found = useAssignmentTable(filter, sort);
  const { count = 0, question } = found;
  const [first, show] = useState(FIRST);
  useOnChange(question, () => show(FIRST));
  const table = useRef<TableHandle>(null);
  const showMore = (): void => {
    show(MOST);
    // The focused button disappears, so the focus moves to the first new row.
    table.current?.focus(first);
  };
  if (isLoading && !known) return <Loading label={t('work.loading')} />;
  const empty =
    known === 0 ? (
      <Empty title={t('work.none')} hint={t('work.noneHint')} />
    ) : (
      <Empty title={t('work.nothing')} hint={t('work.nothingHint')} />
    );
  return (
    <>
      <DataTable
        rows={found}
        first={first}
        loading={t('work.loading')}
        id="work"
        label={t('work.label')}
        columns={columns}
        hasTwoLines
        rowKey={({ AssignmentId }) => AssignmentId}
        sort={sort}
        onSort={setSort}
        open={(row) => open(assignmentPlace(row))}
        empty={empty}
        handle={table}
      />
      {count > first && first < MOST && (
        <div>
          <Button appearance="subtle" onClick={showMore}>
            {t('work.more', { count: Math.min(count, MOST) - first })}
          </Button>
        </div>
      )}
    </>
  );
};
