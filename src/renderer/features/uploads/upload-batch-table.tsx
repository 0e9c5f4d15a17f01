import { useCallback, useMemo, useState } from 'react';
import type { Batch } from '../../../contract/uploads.ts';
import { BatchStateBadge } from '../../domain/uploads/batch-state-badge.tsx';
import {
  folderName,
  isUnread,
  outcomeText,
  sortBatches,
  stateText,
  targetName,
} from '../../domain/uploads/batch-words.ts';
import { useFileMenu } from '../../domain/uploads/use-file-menu.ts';
import { useApp } from '../../state/context.tsx';
import type { Column } from '../../ui/data-table/column.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Sort } from '../../ui/data-table/sort.ts';
import { MiddleCut } from '../../ui/middle-cut.tsx';
import { PageFill } from '../../ui/page-fill.tsx';
import { formatCount } from '../../words/amounts.ts';
import { t } from '../../words/words.ts';

/** The folders of an upload, any number of them, each with its assignment and state; each opens its files. */
export const UploadBatchTable = ({ batches }: { readonly batches: readonly Batch[] }) => {
  const open = useApp((state) => state.open);
  const assignments = useApp((state) => state.assignments);
  const menu = useFileMenu();
  const [sort, setSort] = useState<Sort>();
  const nameOf = useCallback(
    (batch: Batch): string => targetName(batch, assignments[batch.AssignmentId]),
    [assignments],
  );
  const columns: readonly Column<Batch>[] = [
    {
      id: 'Folder',
      header: () => t('uploads.table.folder'),
      sort: 'folder',
      cell: ({ root }) => <MiddleCut name={folderName(root)} />,
      text: ({ root }) => folderName(root),
    },
    { id: 'Assignment', header: () => t('uploads.table.assignment'), sort: 'assignment', cell: nameOf },
    {
      id: 'Files',
      header: () => t('uploads.table.files'),
      width: '96px',
      align: 'end',
      minor: true,
      sort: 'files',
      cell: (batch) => (isUnread(batch) ? '' : formatCount(batch.files)),
    },
    {
      id: 'Outcome',
      header: () => t('uploads.table.progress'),
      width: '19%',
      minor: true,
      cell: (batch) => (isUnread(batch) ? '' : outcomeText(batch)),
    },
    {
      id: 'State',
      header: () => t('uploads.files.state'),
      width: '212px',
      sort: 'state',
      cell: (batch) => <BatchStateBadge batch={batch} />,
      text: stateText,
    },
  ];
  const rows = useMemo(() => sorted(batches, sort, nameOf), [batches, sort, nameOf]);
  return (
    <PageFill>
      <DataTable
        id="upload-batches"
        label={t('uploads.table.label')}
        columns={columns}
        count={rows.length}
        rowAt={(index) => rows[index]}
        rowKey={({ batchId }) => batchId}
        open={({ batchId }) => open({ name: 'batch', batch: batchId })}
        menu={menu && (({ batchId }, event) => menu({ batchId }, event))}
        sort={sort}
        onSort={setSort}
      />
    </PageFill>
  );
};

/** Without an order the batches stay as they were started. */
const sorted = (
  batches: readonly Batch[],
  sort: Sort | undefined,
  nameOf: (batch: Batch) => string,
): readonly Batch[] => {
  if (sort === undefined) return batches;
  const ascending = inOrder(batches, sort.by, nameOf);
  return sort.descending ? ascending.toReversed() : ascending;
};

const inOrder = (batches: readonly Batch[], by: string, nameOf: (batch: Batch) => string): readonly Batch[] => {
  const { compare } = new Intl.Collator(undefined, { numeric: true });
  switch (by) {
    case 'folder':
      return batches.toSorted((a, b) => compare(folderName(a.root), folderName(b.root)));
    case 'assignment':
      return batches.toSorted((a, b) => compare(nameOf(a), nameOf(b)));
    case 'files':
      return batches.toSorted((a, b) => a.files - b.files);
    default:
      // Those with failures first among those that have ended.
      return sortBatches(batches).toSorted((a, b) => needs(a) - needs(b));
  }
};

const needs = ({ state, failed, notReplaced = 0 }: Batch): number => {
  if (state === 'paused') return 0;
  if (failed + notReplaced > 0) return 1;
  return state === 'running' || state === 'scanning' ? 2 : 3;
};
