import {
  Button,
  MessageBar,
  MessageBarActions,
  MessageBarBody,
  MessageBarTitle,
  makeStyles,
  ProgressBar,
  tokens,
} from '@fluentui/react-components';
import type { Removal, RemovedFile } from '../../../contract/offline.ts';
import type { KnownFile } from '../../../contract/uploads.ts';
import { useRemoval } from '../../queries/files.ts';
import { useDesk, useSnapshot } from '../../state/context.tsx';
import { useAction } from '../../state/use-action.ts';
import { formatMoment } from '../../words/dates.ts';
import { fileErrorText, t } from '../../words/words.ts';
import { ChangeBar } from './change-bar.tsx';
import { changeText, removalsText } from './change-words.ts';

type PendingChangesProps = {
  readonly id: string;
  /** Shows only changes of this kind, of one file or of several; all if absent. */
  readonly kind?: 'plan-after' | 'remove-file';
  /** The known files of the assignment, for the names of removed ones. */
  readonly files?: readonly KnownFile[] | undefined;
};

/** The pending changes to an assignment, and those that the service has rejected. */
export const PendingChanges = ({ id, kind, files }: PendingChangesProps) => {
  const { outbox } = useDesk();
  const entries = useSnapshot((snapshot) => snapshot.outbox);
  const act = useAction((what: 'revoke' | 'retry', entry: number) => outbox[what]({ id: entry }));
  return entries
    .filter((entry) => entry.AssignmentId === id && (kind === undefined || entry.kind.startsWith(kind)))
    .map((entry) =>
      entry.kind === 'remove-files' ? (
        <RemovalBar key={entry.id} removal={entry} />
      ) : (
        <ChangeBar
          key={entry.id}
          title={changeText(entry, files)}
          error={entry.error}
          busy={act.busy}
          onRetry={() => act.run('retry', entry.id)}
          discard={t('assignment.change.revoke')}
          onDiscard={() => act.run('revoke', entry.id)}
        />
      ),
    );
};

const useRemovalBarStyles = makeStyles({
  bar: { marginTop: tokens.spacingVerticalM },
  files: { margin: `${tokens.spacingVerticalXS} 0`, paddingInlineStart: tokens.spacingHorizontalXL },
  progress: { marginTop: tokens.spacingVerticalS },
});

/** More reasons are in the receipt. */
const mostShown = 5;

const reasonOf = ({ error }: RemovedFile): string => (error ? fileErrorText({ ...error, details: {} }).title : '');

/** Why files could not be removed. */
const RefusedFiles = ({ removal: { id, refused } }: { readonly removal: Removal }) => {
  const styles = useRemovalBarStyles();
  const { value } = useRemoval(id, refused, mostShown);
  return (
    <ul className={styles.files}>
      {value?.files.slice(0, refused).map((file) => (
        <li key={file.Key}>{[file.FileName, file.folder, reasonOf(file)].filter(Boolean).join(' · ')}</li>
      ))}
    </ul>
  );
};

const outcomes = {
  waiting: () => '',
  removed: () => t('files.removed'),
  refused: () => t('assignment.change.notRemoved'),
  kept: () => t('assignment.change.kept'),
} as const satisfies Readonly<Record<RemovedFile['state'], () => string>>;

/** The receipt as a table: each file, what became of it and why. */
const receiptOf = (files: readonly RemovedFile[]) => ({
  header: [
    t('assignment.files.file'),
    t('assignment.files.folder'),
    t('assignment.files.size'),
    t('assignment.files.since'),
    t('uploads.files.state'),
    t('assignment.change.reason'),
    t('assignment.change.key'),
  ],
  rows: files.map((file) => [
    file.FileName,
    file.folder ?? '',
    file.sizeBytes ?? '',
    file.addedAtMs === undefined ? '' : formatMoment(file.addedAtMs),
    [outcomes[file.state](), file.settledAtMs === undefined ? '' : formatMoment(file.settledAtMs)]
      .filter(Boolean)
      .join(' '),
    reasonOf(file),
    file.Key,
  ]),
});

/** The removal of several files: its progress, and afterwards its receipt. */
const RemovalBar = ({ removal }: { readonly removal: Removal }) => {
  const styles = useRemovalBarStyles();
  const desk = useDesk();
  const { id, files, waiting, refused } = removal;
  const act = useAction((what: 'revoke' | 'retry') => desk.outbox[what]({ id }));
  const save = useAction(async () => {
    const all: RemovedFile[] = [];
    for (let total = files; all.length < total; ) {
      const page = await desk.files.removal({ id, offset: all.length, limit: 1000 });
      if (page.files.length === 0) break;
      all.push(...page.files);
      total = page.total;
    }
    return desk.export.csv({ name: removalsText(removal), ...receiptOf(all) });
  });
  const isDone = waiting === 0;
  return (
    <div className={styles.bar} role="status">
      <MessageBar intent={!isDone ? 'info' : refused > 0 ? 'error' : 'success'} layout="multiline">
        <MessageBarBody>
          <MessageBarTitle>{removalsText(removal)}</MessageBarTitle>{' '}
          {!isDone && t('assignment.change.progress', { done: files - waiting, all: files })}
          {!isDone && (
            <ProgressBar
              className={styles.progress}
              aria-label={removalsText(removal)}
              value={(files - waiting) / files}
            />
          )}
          {refused > 0 && <RefusedFiles removal={removal} />}
        </MessageBarBody>
        <MessageBarActions>
          {isDone && refused > 0 && (
            <Button size="small" disabledFocusable={act.busy} onClick={() => act.run('retry')}>
              {t('common.tryAgain')}
            </Button>
          )}
          {isDone && (
            <Button size="small" disabledFocusable={save.busy} onClick={() => save.run()}>
              {t('assignment.change.saveReceipt')}
            </Button>
          )}
          <Button size="small" disabledFocusable={act.busy} onClick={() => act.run('revoke')}>
            {isDone
              ? t('common.dismiss')
              : t(waiting < files ? 'assignment.change.keepRest' : 'assignment.change.revoke')}
          </Button>
        </MessageBarActions>
      </MessageBar>
    </div>
  );
};
