import {
  Button,
  Field,
  Link,
  makeStyles,
  mergeClasses,
  Select,
  Tab,
  TabList,
  Text,
  tokens,
} from '@fluentui/react-components';
import {
  Delete20Regular,
  DocumentCheckmark20Regular,
  Filter16Filled,
  Filter16Regular,
  FolderOpen20Regular,
} from '@fluentui/react-icons';
import { Suspense, useEffect, useState } from 'react';
import type { ErrorCode } from '../../../contract/errors.ts';
import { type Batch, hasEnded, isActive } from '../../../contract/uploads.ts';
import { PendingChanges } from '../../domain/assignments/changes.tsx';
import { removalExplained } from '../../domain/assignments/remove-many.tsx';
import { Failure } from '../../domain/errors.tsx';
import { BatchActions } from '../../domain/uploads/batch-actions.tsx';
import { BatchProgress } from '../../domain/uploads/batch-view.tsx';
import { begunText, folderName, leftOutText, targetName } from '../../domain/uploads/batch-words.ts';
import { SaveReceipt } from '../../domain/uploads/save-receipt.tsx';
import { useErrorGroups, useRemovable } from '../../queries/answers.ts';
import { useAction, useApp, useBatch, useDesk } from '../../state/context.tsx';
import { DialogFrame } from '../../ui/dialog-frame.tsx';
import { useDialog } from '../../ui/dialogs.tsx';
import { later } from '../../ui/later.ts';
import { Loading, Page } from '../../ui/page.tsx';
import { bareButton } from '../../ui/styles.ts';
import { formatBytes } from '../../words/amounts.ts';
import { fileErrorText, t } from '../../words/words.ts';
import { AddedLater } from './added-later.tsx';
import { BatchFileTable, type FileFilter, fileFilters, filterCount, filterName } from './batch-file-table.tsx';

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

const useBatchFilesActionsStyles = makeStyles({
  actions: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: tokens.spacingHorizontalS,
    // A long path shrinks, not the buttons.
    '& > button': { flexShrink: 0 },
  },
});

/** Actions on all files of an upload: open their folder, verify them, save a receipt. */
const BatchFilesActions = ({ batch }: { readonly batch: Batch }) => {
  const styles = useBatchFilesActionsStyles();
  const { uploads } = useDesk();
  const reveal = useAction(() => uploads.reveal({ batchId: batch.batchId }));
  return (
    <div className={styles.actions}>
      <Button size="small" icon={<FolderOpen20Regular />} disabledFocusable={reveal.busy} onClick={() => reveal.run()}>
        {t('uploads.action.reveal')}
      </Button>
      <VerifyFiles batch={batch} />
      <RemoveFiles batch={batch} />
      <SaveReceipt batches={[batch]} />
    </div>
  );
};

const VerifyDialog = later(async () => (await import('./verify-dialog.tsx')).VerifyDialog);

/** Compares the files of an ended upload on this computer with what was uploaded. */
const VerifyFiles = ({ batch }: { readonly batch: Batch }) => {
  const dialog = useDialog<Batch>();
  if (!hasEnded(batch) || batch.uploaded + batch.skipped === 0) return null;
  return (
    <>
      <Button
        size="small"
        icon={<DocumentCheckmark20Regular />}
        onClick={({ currentTarget }) => dialog.open(currentTarget, batch)}
      >
        {t('uploads.verify.action')}
      </Button>
      {dialog.about && (
        <Suspense>
          <VerifyDialog batch={batch} onClose={dialog.close} />
        </Suspense>
      )}
    </>
  );
};

/** Removes the uploaded files of an upload from its assignment: all of them, or those of one folder. */
export const RemoveFiles = ({ batch }: { readonly batch: Batch }) => {
  const dialog = useDialog<Batch>();
  return (
    <>
      <Button
        size="small"
        icon={<Delete20Regular />}
        disabledFocusable={batch.uploaded === (batch.removed ?? 0) || isActive(batch)}
        onClick={({ currentTarget }) => dialog.open(currentTarget, batch)}
      >
        {t('uploads.action.remove')}
      </Button>
      {dialog.about && <WhichFiles batchId={dialog.about.batchId} onClose={dialog.close} />}
    </>
  );
};

type WhichFilesProps = { readonly batchId: string; readonly onClose: () => void };

const WhichFiles = ({ batchId, onClose }: WhichFilesProps) => {
  const { value: folders, error, reload } = useRemovable(batchId);
  const [folder, setFolder] = useState('');
  const desk = useDesk();
  const remove = useAction(async () => {
    await desk.files.remove({ batchId, folder });
    onClose();
  });
  const chosen = folders?.find((one) => one.folder === folder);
  return (
    <DialogFrame
      title={t('uploads.action.remove')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button appearance="primary" disabledFocusable={!chosen || remove.busy} onClick={() => remove.run()}>
            {t('assignment.change.removeFiles', { count: chosen?.files ?? 0 })}
          </Button>
        </>
      }
    >
      {error !== undefined && <Failure error={error} onRetry={reload} />}
      {error === undefined && folders === undefined && <Loading label={t('uploads.files.loading')} lines={2} />}
      {folders?.length === 0 && <Text>{t('uploads.action.removeNone')}</Text>}
      {folders !== undefined && folders.length > 0 && (
        <Field label={t('uploads.action.removeWhich')}>
          <Select value={folder} onChange={(_, { value }) => setFolder(value)}>
            {folders.map((one) => (
              <option key={one.folder} value={one.folder}>
                {[
                  one.folder || t('uploads.action.removeAll'),
                  t('count.file', { count: one.files }),
                  formatBytes(one.bytes),
                ].join(' · ')}
              </option>
            ))}
          </Select>
        </Field>
      )}
      {chosen && <Text>{removalExplained(chosen)}</Text>}
    </DialogFrame>
  );
};

const useErrorGroupsStyles = makeStyles({
  groups: {
    flexShrink: 0,
    listStyle: 'none',
    margin: 0,
    padding: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalL}`,
    maxHeight: '132px',
    overflow: 'auto',
  },
  group: {
    ...bareButton,
    display: 'grid',
    gridTemplateColumns: '84px minmax(0, 1fr) auto',
    gap: tokens.spacingHorizontalM,
    alignItems: 'center',
    width: '100%',
    padding: `${tokens.spacingVerticalSNudge} ${tokens.spacingHorizontalS}`,
    borderRadius: tokens.borderRadiusMedium,
    textAlign: 'start',
    cursor: 'pointer',
    ':hover': { backgroundColor: tokens.colorNeutralBackground1Hover },
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '-2px' },
  },
  chosen: {
    backgroundColor: tokens.colorNeutralBackground1Selected,
    ':hover': { backgroundColor: tokens.colorNeutralBackground1Selected },
    '@media (forced-colors: active)': { outline: '1px solid Highlight', outlineOffset: '-1px' },
  },
  count: { fontWeight: tokens.fontWeightSemibold, fontVariantNumeric: 'tabular-nums' },
  icon: { color: tokens.colorNeutralForeground3 },
});

type ErrorGroupsProps = {
  readonly batch: Batch;
  /** The reason whose files alone are shown. */
  readonly chosen: ErrorCode | undefined;
  readonly onChoose: (code: ErrorCode | undefined) => void;
};

/**
 * Why files of a batch failed, and what to do about each reason. Choosing one shows only its files, choosing it again
 * all.
 */
const ErrorGroups = ({ batch: { batchId }, chosen, onChoose }: ErrorGroupsProps) => {
  const styles = useErrorGroupsStyles();
  const { value } = useErrorGroups(batchId);
  const isGone = chosen !== undefined && value !== undefined && !value.some(({ code }) => code === chosen);
  useEffect(() => {
    if (isGone) onChoose(undefined);
  }, [isGone, onChoose]);
  if (value === undefined || value.length === 0) return null;
  return (
    <ul className={styles.groups} aria-label={t('uploads.files.reasons')}>
      {value.map(({ code, files }) => {
        const { title, todo } = fileErrorText({ code, details: {} });
        const isChosen = code === chosen;
        const Icon = isChosen ? Filter16Filled : Filter16Regular;
        return (
          <li key={code}>
            <button
              type="button"
              className={mergeClasses(styles.group, isChosen && styles.chosen)}
              aria-pressed={isChosen}
              title={isChosen ? t('uploads.files.everyReason') : t('uploads.files.onlyReason')}
              onClick={() => onChoose(isChosen ? undefined : code)}
            >
              <span className={styles.count}>{t('count.file', { count: files })}</span>
              <span>
                <strong>{title}</strong> {todo}
              </span>
              <Icon className={styles.icon} aria-hidden="true" />
            </button>
          </li>
        );
      })}
    </ul>
  );
};
