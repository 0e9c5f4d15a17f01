import { orderOf, WORK_ROW_HEIGHT, workColumns } from '../../domain/assignments/work-columns.tsx';
import { WindowTable } from '../../domain/window-table.tsx';
import { useAssignmentTable, type WorkFilter } from '../../queries/work.ts';
import { useApp } from '../../state/context.tsx';
import { assignmentPlace } from '../../state/places.ts';
import { useSort } from '../../ui/data-table/columns.tsx';
import { TableBox } from '../../ui/data-table/data-table.tsx';
import { Empty, Loading } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';

/** In px: ten rows with their heading. */
const MOST_PX = 556;

type WorkTableProps = {
  readonly filter: WorkFilter;
  /** How many assignments are known; undefined until they are counted. */
  readonly known: number | undefined;
  /** Whether the first assignments are being read. */
  readonly isLoading: boolean;
};

/** The assignments that match, as high as their rows. */
export const WorkTable = ({ filter, known, isLoading }: WorkTableProps) => {
  const open = useApp((state) => state.open);
  const [sort, setSort] = useSort('work');
  const found = useAssignmentTable(filter, orderOf(sort));
  const rows = found.held?.total ?? 0;
  if (isLoading && !known) return <Loading label={t('work.loading')} />;
  const empty =
    known === 0 ? (
      <Empty title={t('work.none')} hint={t('work.noneHint')} />
    ) : (
      <Empty title={t('work.nothing')} hint={t('work.nothingHint')} />
    );
  return (
    <TableBox rows={Math.max(rows, 3)} rowHeight={WORK_ROW_HEIGHT} maxHeight={MOST_PX}>
      <WindowTable
        found={found}
        loading={t('work.loading')}
        id="work"
        label={t('work.label')}
        columns={workColumns}
        rowHeight={WORK_ROW_HEIGHT}
        rowKey={({ AssignmentId }) => AssignmentId}
        sort={sort}
        onSort={setSort}
        open={(row) => open(assignmentPlace(row, 'overview'))}
        empty={empty}
      />
    </TableBox>
  );
};
