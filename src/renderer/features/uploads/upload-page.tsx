import { makeStyles, Text, tokens } from '@fluentui/react-components';
import { useCallback, useMemo, useState } from 'react';
import type { Batch } from '../../../contract/uploads.ts';
import { Failure } from '../../domain/errors.tsx';
import { BatchActions } from '../../domain/uploads/batch-actions.tsx';
import { BatchProgress, BatchStateBadge } from '../../domain/uploads/batch-view.tsx';
import {
  begunText,
  folderName,
  isUnread,
  leftOutText,
  outcomeText,
  sortBatches,
  stateText,
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
import type { Column, Sort } from '../../ui/data-table/columns.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { MiddleCut } from '../../ui/middle-cut.tsx';
import { Page, PageFill } from '../../ui/page.tsx';
import { formatCount } from '../../words/amounts.ts';
import { useMemoInWords } from '../../words/formats.ts';
import { t } from '../../words/words.ts';
import { AddedLater } from './added-later.tsx';
import { BatchPage } from './batch-page.tsx';

const useStyles = makeStyles({
  summary: {
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalS,
    padding: `0 ${tokens.spacingHorizontalXXL} ${tokens.spacingVerticalS}`,
  },
  receipt: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalS },
  minor: { color: tokens.colorNeutralForeground3, overflowWrap: 'anywhere' },
});

/** One upload with its folders and their assignments; that of one folder is the page of its batch. */
export const UploadPage = ({ id }: { readonly id: string }) => {
  const batches = useSnapshot((snapshot) => snapshot.batches);
  const upload = useMemoInWords(
    () => groupUploads(batches.filter(({ uploadId }) => uploadId === id))[0],
    [batches, id],
  );
  if (upload === undefined)
    return (
      <Page title={t('uploads.one')}>
        <Failure error={{ code: 'upload/batch-unknown', message: `upload ${id}`, retry: 'never', details: {} }} />
      </Page>
    );
  return upload.batches.length === 1 ? (
    <BatchPage id={upload.whole.batchId} />
  ) : (
    <UploadOfSeveral key={upload.uploadId} upload={upload} />
  );
};

const UploadOfSeveral = ({ upload }: { readonly upload: Upload }) => {
  const styles = useStyles();
  const { uploadId, batches, whole } = upload;
  const leftOut = leftOutText(whole.leftOut);
  return (
    <Page
      title={folderName(whole.root)}
      subtitle={`${folderNames(batches)} · ${begunText(whole)}`}
      actions={<BatchActions batch={whole} upload={uploadId} />}
    >
      <div className={styles.summary}>
        <BatchProgress batch={whole} progress={progressOfUpload(upload)} text={uploadText(upload)} />
        <AddedLater batch={whole} upload={uploadId} />
        <div className={styles.receipt}>
          <SaveReceipt batches={batches} />
        </div>
        {leftOut !== '' && (
          <Text size={200} className={styles.minor}>
            {t('uploads.leftOut', { what: leftOut })}
          </Text>
        )}
      </div>
      <UploadBatchTable batches={batches} />
    </Page>
  );
};

/** The folders of an upload, any number of them, each with its assignment and state; each opens its files. */
const UploadBatchTable = ({ batches }: { readonly batches: readonly Batch[] }) => {
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
