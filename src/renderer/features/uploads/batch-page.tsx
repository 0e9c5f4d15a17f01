import { Link, makeStyles, Tab, TabList, Text, tokens } from '@fluentui/react-components';
import { useState } from 'react';
import type { ErrorCode } from '../../../contract/errors.ts';
import type { Batch } from '../../../contract/uploads.ts';
import { PendingChanges } from '../../domain/assignments/pending-changes.tsx';
import { Failure } from '../../domain/errors/failure.tsx';
import { BatchActions } from '../../domain/uploads/batch-actions.tsx';
import { BatchProgress } from '../../domain/uploads/batch-progress.tsx';
import { begunText, folderName, leftOutText, targetName } from '../../domain/uploads/batch-words.ts';
import { useApp, useBatch } from '../../state/context.tsx';
import { Page } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';
import { AddedLater } from './added-later.tsx';
import { BatchFileTable } from './batch-file-table.tsx';
import { BatchFilesActions } from './batch-files-actions.tsx';
import { ErrorGroups } from './error-groups.tsx';
import { type FileFilter, fileFilters, filterCount, filterName } from './file-filter.ts';

const useStyles = makeStyles({
  summary: {
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalS,
    padding: `0 ${tokens.spacingHorizontalXXL} ${tokens.spacingVerticalS}`,
  },
  // Windows paths have nowhere to break.
  minor: { color: tokens.colorNeutralForeground3, overflowWrap: 'anywhere' },
  target: {
    maxWidth: '100%',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    // On the same line as the text after it: a button has a line height of its own.
    lineHeight: 'inherit',
    verticalAlign: 'bottom',
  },
  tabs: { flexWrap: 'wrap', padding: `0 ${tokens.spacingHorizontalM}` },
});

/** One upload with its files. */
export const BatchPage = ({ id }: { readonly id: string }) => {
  const batch = useBatch(id);
  return batch === undefined ? (
    <Page title={t('uploads.one')}>
      <Failure error={{ code: 'upload/batch-unknown', message: `batch ${id}`, retry: 'never', details: {} }} />
    </Page>
  ) : (
    <KnownBatch batch={batch} />
  );
};

const KnownBatch = ({ batch }: { readonly batch: Batch }) => {
  const styles = useStyles();
  const open = useApp((state) => state.open);
  const summary = useApp((state) => state.assignments[batch.AssignmentId]);
  const [chosen, setFilter] = useState<FileFilter>('all');
  const filters = fileFilters(batch);
  const filter = filters.includes(chosen) ? chosen : 'all';
  const [code, setCode] = useState<ErrorCode>();
  const leftOut = leftOutText(batch.leftOut);
  const { AssignmentId } = batch;
  const target = targetName(batch, summary);
  return (
    <Page
      title={folderName(batch.root)}
      subtitle={
        <>
          <Link
            as="button"
            inline
            className={styles.target}
            title={target}
            onClick={() => open({ name: 'assignment', AssignmentId, summary, section: 'uploads' })}
          >
            {target}
          </Link>{' '}
          · {begunText(batch)}
        </>
      }
      actions={<BatchActions batch={batch} />}
    >
      <div className={styles.summary}>
        <BatchProgress batch={batch} />
        <Text size={200} className={styles.minor}>
          {batch.root}
          {leftOut !== '' && ` · ${t('uploads.leftOut', { what: leftOut })}`}
        </Text>
        <AddedLater batch={batch} />
        <BatchFilesActions batch={batch} />
        <PendingChanges id={AssignmentId} kind="remove-file" />
      </div>
      <TabList
        className={styles.tabs}
        aria-label={t('uploads.filter.label')}
        selectedValue={filter}
        onTabSelect={(_, { value }) => {
          setFilter(filters.find((one) => one === value) ?? filter);
          setCode(undefined);
        }}
      >
        {filters.map((value) => (
          <Tab key={value} value={value}>
            {t('uploads.filterCount', { name: filterName(value), count: filterCount(value, batch) })}
          </Tab>
        ))}
      </TabList>
      {filter === 'failed' && <ErrorGroups batch={batch} chosen={code} onChoose={setCode} />}
      <BatchFileTable key={`${filter} ${code}`} batch={batch} filter={filter} code={code} />
    </Page>
  );
};
