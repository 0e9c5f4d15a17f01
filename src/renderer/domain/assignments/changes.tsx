import { Button, makeStyles, ProgressBar, tokens } from '@fluentui/react-components';
import { uniq } from 'es-toolkit';
import type { DeskClient } from '../../../contract/calls.ts';
import type { ErrorData } from '../../../contract/errors.ts';
import type { OutboxEntry, Removal, RemovedFile } from '../../../contract/offline.ts';
import type { SheetCell } from '../../../contract/sheets.ts';
import { useCallQuery, useCalls } from '../../queries/query.tsx';
import { useAction, useDesk, useSnapshot } from '../../state/store.tsx';
import { MessageBar, type MessageProps } from '../../ui/message-bar.tsx';
import { saveSheet } from '../../ui/save-sheet.ts';
import { lines } from '../../ui/styles.ts';
import { formatBytes } from '../../words/amounts.ts';
import { formatMoment, toMilliseconds } from '../../words/dates.ts';
import { fileErrorText, t } from '../../words/words.ts';
import { errorSentences } from '../errors.tsx';

/** A new plan-after date in the time unit of the service. Without `PlanAfter`, the date is cleared. */
export type PlanAfterChange = { readonly PlanAfter?: number | undefined };

/**
 * Describes a change of the date. `timeMs`: the new date in ms since 1970, if it is not in the time unit of the service
 * yet.
 */
export const planAfterText = ({ PlanAfter, timeMs }: PlanAfterChange & { readonly timeMs?: number }): string => {
  const atMs = timeMs ?? (PlanAfter === undefined ? undefined : toMilliseconds(PlanAfter));
  return atMs === undefined
    ? t('assignment.change.clearPlanAfter')
    : t('assignment.change.planAfter', { at: formatMoment(atMs) });
};

const changeText = (entry: OutboxEntry): string =>
  entry.kind === 'plan-after' ? planAfterText(entry) : removalText(entry);

const removalText = ({ name, files, removed, waiting }: Removal): string => {
  if (name !== undefined) return t('assignment.files.removeNamed', { name });
  if (waiting > 0) return t('assignment.change.removeFiles', { count: files });
  return removed === files
    ? t('assignment.change.removed', { count: files })
    : t('assignment.change.partly', { done: removed, count: files });
};

const mostNames = 5;

type RemovedFiles = {
  readonly files: number;
  readonly bytes: number;
  /** The names of the files: of all, or at least of the first five. */
  readonly names: readonly string[];
  readonly assignments?: number;
};

const useStyles = makeStyles({
  change: { marginTop: tokens.spacingVerticalM },
  // The text after the title begins on a new line, because the title is not a sentence.
  title: lines(2),
  files: { margin: `${tokens.spacingVerticalXS} 0`, paddingInlineStart: tokens.spacingHorizontalXL },
  progress: { marginTop: tokens.spacingVerticalS },
});

/**
 * Names files that are to be removed, and explains the removal. `assignments`: how many assignments the files are
 * removed from.
 */
export const RemovalExplained = ({ files, bytes, names, assignments = 1 }: RemovedFiles) => {
  const shown = uniq(names).slice(0, mostNames);
  const more = files - shown.length;
  return (
    <div>
      <ul className={useStyles().files}>
        {shown.map((name) => (
          <li key={name}>{name}</li>
        ))}
        {more > 0 && <li>{t('common.moreFiles', { count: more })}</li>}
      </ul>
      {t(`assignment.files.${assignments > 1 ? 'removeFromSeveral' : 'removeManyExplained'}`, {
        count: files,
        size: formatBytes(bytes),
      })}
    </div>
  );
};

type ChangeBarProps = Pick<MessageProps, 'layout'> & {
  readonly title: string;
  /** Why the service rejected the change; absent while the change is pending. */
  readonly error?: ErrorData | undefined;
  readonly busy: boolean;
  readonly onRetry: () => void;
  readonly discard: string;
  readonly onDiscard: () => void;
};

/** A message about a change that the service has not accepted yet, or has rejected. */
export const ChangeBar = (props: ChangeBarProps) => {
  const { layout = 'multiline', title, error, busy, onRetry, discard, onDiscard } = props;
  const styles = useStyles();
  const actions = (
    <>
      {error && (
        <Button size="small" disabledFocusable={busy} onClick={onRetry}>
          {t('common.tryAgain')}
        </Button>
      )}
      <Button size="small" disabledFocusable={busy} onClick={onDiscard}>
        {discard}
      </Button>
    </>
  );
  return (
    <div className={styles.change} {...(error && { role: 'alert' })}>
      <MessageBar
        intent={error ? 'error' : 'info'}
        layout={layout}
        title={<span className={styles.title}>{title}</span>}
        action={actions}
      >
        {error ? errorSentences(error) : t('assignment.change.waiting')}
      </MessageBar>
    </div>
  );
};

type PendingChangesProps = Pick<MessageProps, 'layout'> & {
  readonly id: string;
  readonly kind?: OutboxEntry['kind'];
};

/** Shows the pending and rejected changes to an assignment, and the receipts of finished removals of several files. */
export const PendingChanges = ({ id, kind, layout }: PendingChangesProps) => {
  const { outbox } = useDesk();
  const all = useSnapshot((snapshot) => snapshot.outbox);
  const entries = all.filter((entry) => entry.AssignmentId === id && (!kind || entry.kind === kind));
  const act = useAction((what: 'revoke' | 'retry', entry: number) => outbox[what]({ id: entry }));
  return entries.map((entry) =>
    entry.kind === 'remove-files' && entry.name === undefined ? (
      <RemovalBar key={entry.id} removal={entry} layout={layout} />
    ) : (
      <ChangeBar
        key={entry.id}
        layout={layout}
        title={changeText(entry)}
        error={entry.error}
        busy={act.busy}
        onRetry={() => act.run('retry', entry.id)}
        discard={t('assignment.change.revoke')}
        onDiscard={() => act.run('revoke', entry.id)}
      />
    ),
  );
};

const mostShown = 5;

const reasonOf = ({ error }: RemovedFile): string => (error ? fileErrorText({ ...error, details: {} }).title : '');

const RefusedFiles = ({ removal: { id, refused } }: { readonly removal: Removal }) => {
  const styles = useStyles();
  const { queryKey, queryFn } = useCalls().files.removal({ id, limit: mostShown });
  const { value } = useCallQuery({ queryKey: [...queryKey, refused], queryFn });
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

const receiptHeader = (): readonly string[] => [
  t('common.file'),
  t('common.folder'),
  t('common.size'),
  t('assignment.files.since'),
  t('uploads.files.state'),
  t('common.reason'),
  t('assignment.change.key'),
];

const receiptRow = (file: RemovedFile): readonly SheetCell[] => [
  file.FileName,
  file.folder ?? '',
  file.sizeBytes ?? '',
  file.addedAtMs === undefined ? '' : formatMoment(file.addedAtMs),
  [outcomes[file.state](), file.settledAtMs === undefined ? '' : formatMoment(file.settledAtMs)]
    .filter(Boolean)
    .join(' '),
  reasonOf(file),
  file.Key,
];

async function* receiptPages({ files }: Pick<DeskClient, 'files'>, id: number) {
  for (let offset = 0, total = 1; offset < total; ) {
    const page = await files.removal({ id, offset, limit: 1000 });
    if (page.files.length === 0) return;
    yield page.files.map(receiptRow);
    offset += page.files.length;
    total = page.total;
  }
}

type RemovalBarProps = Pick<MessageProps, 'layout'> & { readonly removal: Removal };

const RemovalBar = ({ removal, layout = 'multiline' }: RemovalBarProps) => {
  const styles = useStyles();
  const desk = useDesk();
  const { id, files, waiting, refused } = removal;
  const act = useAction((what: 'revoke' | 'retry') => desk.outbox[what]({ id }));
  const save = useAction(() => {
    const sheet = { name: removalText(removal), type: 'csv', header: receiptHeader() } as const;
    return saveSheet(desk.export, sheet, receiptPages(desk, id));
  });
  const isDone = waiting === 0;
  const actions = (
    <>
      {isDone && refused > 0 && (
        <Button size="small" disabledFocusable={act.busy} onClick={() => act.run('retry')}>
          {t('common.tryAgain')}
        </Button>
      )}
      {isDone && (
        <Button size="small" disabledFocusable={save.busy} onClick={() => save.run()}>
          {t('uploads.receipt.save')}
        </Button>
      )}
      <Button size="small" disabledFocusable={act.busy} onClick={() => act.run('revoke')}>
        {isDone ? t('common.dismiss') : t(waiting < files ? 'assignment.change.keepRest' : 'assignment.change.revoke')}
      </Button>
    </>
  );
  return (
    <div className={styles.change} role="status">
      <MessageBar
        intent={!isDone ? 'info' : refused > 0 ? 'error' : 'success'}
        layout={layout}
        title={removalText(removal)}
        action={actions}
      >
        {!isDone && (
          <span aria-live="off">{t('assignment.change.progress', { done: files - waiting, all: files })}</span>
        )}
        {!isDone && (
          <ProgressBar
            className={styles.progress}
            aria-label={removalText(removal)}
            value={(files - waiting) / files}
          />
        )}
        {refused > 0 && <RefusedFiles removal={removal} />}
      </MessageBar>
    </div>
  );
};
