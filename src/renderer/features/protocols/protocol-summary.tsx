import { Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import { ArrowDownload20Regular } from '@fluentui/react-icons';
import { memo, Suspense, useState } from 'react';
import type { ErrorData } from '../../../contract/errors.ts';
import { RefreshButton } from '../../domain/readings/refresh-button.tsx';
import { useAction } from '../../state/use-action.ts';
import { useOnChange } from '../../ui/data-table/use-on-change.ts';
import { later } from '../../ui/later.ts';
import { useDialog } from '../../ui/use-dialog.ts';
import { useWordsRevision } from '../../words/revision.ts';
import { t } from '../../words/words.ts';

const SavePartDialog = later(async () => (await import('./save-part-dialog.tsx')).SavePartDialog);

const useStyles = makeStyles({
  summary: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: `0 ${tokens.spacingHorizontalS}`,
    minHeight: '32px',
  },
  more: {
    minWidth: 0,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    color: tokens.colorNeutralForeground3,
  },
});

type ProtocolSummaryProps = {
  /** What a search has found so far, and in what; undefined if `rows` says it all. */
  readonly found: string | undefined;
  readonly rows: number;
  /** How many the service has; undefined if that is not known or all are loaded. */
  readonly of: number | undefined;
  readonly busy: boolean;
  readonly onRefresh: () => void;
  /** Saves the table and returns the file's path and rows; undefined if the person chose no file. */
  readonly onSave: () => Promise<Saved | undefined> | undefined;
  /** Says that filters or the order cover only the protocols loaded so far; with a button to load all. */
  readonly note: string | undefined;
  /** Whether a search has more matches than are loaded. */
  readonly hasMore: boolean;
  /** Whether the service has not said yet how long the list is. */
  readonly isUnknown: boolean;
  /** Why the list could not be read on. */
  readonly error: ErrorData | undefined;
  readonly readsAll: boolean;
  readonly onRead: (readsAll: boolean) => void;
};

type Saved = { readonly path: string; readonly rows: number };

/** A list that is loaded in part is saved in part. `of`: see the props. */
const savedText = ({ path, rows }: Saved, of: number | undefined): string =>
  of === undefined || rows >= of
    ? t('protocols.saved', { path })
    : t('protocols.savedPart', { path, loaded: rows, count: of });

const PlainSummary = (props: ProtocolSummaryProps) => {
  const { found, rows, of, busy, onRefresh, onSave, note, hasMore, isUnknown, error, readsAll, onRead } = props;
  const styles = useStyles();
  useWordsRevision();
  const part = of === undefined ? undefined : { loaded: rows, count: of };
  const [saved, setSaved] = useState<Saved>();
  const save = useAction(async () => setSaved(await onSave()));
  // The file has other rows than the table from then on.
  useOnChange(`${rows} of ${of}`, () => setSaved(undefined));
  const said = saved && savedText(saved, of);
  const asking = useDialog<true>();
  const isPart = part !== undefined || hasMore || note !== undefined || isUnknown;
  return (
    <div className={styles.summary}>
      <span role="status">
        {found ?? (part === undefined ? t('count.protocol', { count: rows }) : t('protocols.loaded', part))}
      </span>
      <RefreshButton busy={busy} onClick={onRefresh} />
      <Button
        appearance="subtle"
        icon={<ArrowDownload20Regular />}
        disabledFocusable={save.busy || rows === 0}
        title={t('protocols.savesRows', { count: rows })}
        onClick={({ currentTarget }) => (isPart ? asking.open(currentTarget, true) : save.run())}
      >
        {t('protocols.save')}
      </Button>
      {(note !== undefined || hasMore) && (
        <>
          {note !== undefined && (
            <Text className={styles.more} title={note}>
              {note}
            </Text>
          )}
          <Button size="small" onClick={() => onRead(!readsAll)}>
            {readsAll ? t('protocols.stopReading') : t('protocols.readAll')}
          </Button>
        </>
      )}
      {asking.about && (
        <Suspense>
          <SavePartDialog
            rows={rows}
            of={of}
            error={error}
            readsAll={readsAll}
            isComplete={!isPart}
            onRead={onRead}
            onSave={() => {
              asking.close();
              save.run();
            }}
            onClose={asking.close}
          />
        </Suspense>
      )}
      <span role="status" className={styles.more} title={said}>
        {said}
      </span>
    </div>
  );
};

/** The number of protocols, and the actions of the table. Memoized: it does not render with every letter. */
export const ProtocolSummary = memo(PlainSummary);
