import type { Batch } from '../../../contract/uploads.ts';
import { BatchStateBadge } from '../../domain/uploads/batch-state-badge.tsx';
import { folderName, outcomeText, sortBatches, stateText } from '../../domain/uploads/batch-words.ts';
import { useApp, useSnapshot } from '../../state/context.tsx';
import type { Column } from '../../ui/data-table/column.ts';
import { PlainTable } from '../../ui/data-table/plain-table.tsx';
import { MiddleCut } from '../../ui/middle-cut.tsx';
import { Part } from '../../ui/part.tsx';
import { formatMoment } from '../../words/dates.ts';
import { t } from '../../words/words.ts';

const columns: readonly Column<Batch>[] = [
  {
    id: 'Folder',
    header: () => t('assignment.history.folder'),
    cell: ({ root }) => <MiddleCut name={folderName(root)} />,
    text: ({ root }) => folderName(root),
  },
  {
    id: 'Started',
    header: () => t('assignment.history.started'),
    width: '188px',
    cell: ({ createdAtMs }) => formatMoment(createdAtMs),
  },
  { id: 'Outcome', header: () => t('assignment.history.outcome'), width: '32%', minor: true, cell: outcomeText },
  {
    id: 'State',
    header: () => t('uploads.files.state'),
    width: '212px',
    cell: (batch) => <BatchStateBadge batch={batch} />,
    text: stateText,
  },
];

/** The uploads from this computer to an assignment. Nothing if there are none. */
export const UploadHistory = ({ id }: { readonly id: string }) => {
  const open = useApp((state) => state.open);
  const batches = useSnapshot((snapshot) => snapshot.batches);
  const own = sortBatches(batches.filter(({ AssignmentId }) => AssignmentId === id));
  if (own.length === 0) return null;
  return (
    <Part title={t('assignment.history.title')}>
      <PlainTable
        id="upload-history"
        label={t('assignment.history.title')}
        columns={columns}
        rows={own}
        rowKey={({ batchId }) => batchId}
        open={({ batchId }) => open({ name: 'batch', batch: batchId })}
      />
    </Part>
  );
};
