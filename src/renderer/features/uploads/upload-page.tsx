import { useCallback, useMemo, useState } from 'react';
import type { Batch } from '../../../contract/uploads.ts';
import { BatchActions } from '../../domain/uploads/batch-actions.tsx';
import { BatchProgress, batchFolder, batchState } from '../../domain/uploads/batch-view.tsx';
import {
  begunText,
  folderName,
  isUnread,
  leftOutText,
  outcomeText,
  sortBatches,
  targetName,
} from '../../domain/uploads/batch-words.ts';
import { useFileMenu } from '../../domain/uploads/files.tsx';
import { SaveReceipt } from '../../domain/uploads/save-receipt.tsx';
import {
  folderNames,
  groupUploads,
  progressOfUpload,
  type Upload,
  uploadText,
} from '../../domain/uploads/whole-upload.ts';
import { useApp, useSnapshot } from '../../state/context.tsx';
import type { PlaceProps } from '../../state/places.ts';
import type { Column, Sort } from '../../ui/data-table/columns.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { Minor, Page, PageFill } from '../../ui/page.tsx';
import { formatCount } from '../../words/amounts.ts';
import { useMemoInWords } from '../../words/formats.ts';
import { t } from '../../words/words.ts';
import { BatchPage } from './batch-page.tsx';
import { AddedLater, UnknownUpload, UploadSummary } from './upload-summary.tsx';

/** One upload with its folders and their assignments; for an upload of one folder, the page of its batch. */
export const UploadPage = ({ upload: id }: PlaceProps<'upload'>) => {
  const batches = useSnapshot((snapshot) => snapshot.batches);
  const upload = useMemoInWords(
    () => groupUploads(batches.filter(({ uploadId }) => uploadId === id))[0],
    [batches, id],
  );
  if (upload === undefined) return <UnknownUpload id={id} />;
  return upload.batches.length === 1 ? (
    <BatchPage batch={upload.whole.batchId} />
  ) : (
    <UploadOfSeveral key={upload.uploadId} upload={upload} />
  );
};

const UploadOfSeveral = ({ upload }: { readonly upload: Upload }) => {
  const { uploadId, batches, whole } = upload;
  const leftOut = leftOutText(whole.leftOut);
  return (
    <Page title={folderName(whole.root)} subtitle={`${folderNames(batches)} · ${begunText(whole)}`}>
      <UploadSummary
        files={<SaveReceipt batches={batches} appearance="subtle" />}
        actions={<BatchActions batch={whole} upload={uploadId} isMain />}
      >
        <BatchProgress batch={whole} progress={progressOfUpload(upload)} text={uploadText(upload)} />
        <AddedLater batch={whole} upload={uploadId} />
        {leftOut !== '' && <Minor size={200}>{t('uploads.leftOut', { what: leftOut })}</Minor>}
      </UploadSummary>
      <UploadBatchTable batches={batches} />
    </Page>
  );
};

/** The folders of an upload, any number of them, each with its assignment and state; each opens its files. */
const UploadBatchTable = ({ batches }: { readonly batches: readonly Batch[] }) => {
  const open = useApp((state) => state.open);
  const assignments = useApp((state) => state.assignments);
  const menu = useFileMenu(({ batchId }: Batch) => ({ batchId }));
  const [sort, setSort] = useState<Sort>();
  const nameOf = useCallback(
    (batch: Batch): string => targetName(batch, assignments[batch.AssignmentId]),
    [assignments],
  );
  const columns: readonly Column<Batch>[] = [
    { ...batchFolder, sort: 'folder' },
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
    { ...batchState, sort: 'state' },
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
        menu={menu}
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
  const { compare } = new Intl.Collator(undefined, { numeric: true });
  const orders: Readonly<Record<string, () => readonly Batch[]>> = {
    folder: () => batches.toSorted((a, b) => compare(folderName(a.root), folderName(b.root))),
    assignment: () => batches.toSorted((a, b) => compare(nameOf(a), nameOf(b))),
    files: () => batches.toSorted((a, b) => a.files - b.files),
    // Batches that have ended are sorted with the failed ones first.
    state: () => sortBatches(batches).toSorted((a, b) => needs(a) - needs(b)),
  };
  const ascending = orders[sort.by]?.() ?? batches;
  return sort.descending ? ascending.toReversed() : ascending;
};

const needs = ({ state, failed, notReplaced = 0 }: Batch): number => {
  if (state === 'paused') return 0;
  if (failed + notReplaced > 0) return 1;
  return state === 'running' || state === 'scanning' ? 2 : 3;
};
