import { Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import { ArrowDownload20Regular } from '@fluentui/react-icons';
import { memo, useState } from 'react';
import { RefreshButton } from '../../domain/readings/refresh-button.tsx';
import { useAction } from '../../state/use-action.ts';
import { useWordsRevision } from '../../words/revision.ts';
import { t } from '../../words/words.ts';

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
  readonly rows: number;
  /** How many the service has; undefined if that is not known or all are loaded. */
  readonly of: number | undefined;
  readonly busy: boolean;
  readonly onRefresh: () => void;
  /** Saves the table as a file and returns its path; undefined if the person chose none. */
  readonly onSave: () => Promise<string | undefined> | undefined;
  /** Says that filters or the order cover only the protocols loaded so far; with a button to load all. */
  readonly note: string | undefined;
  readonly readsAll: boolean;
  readonly onRead: (readsAll: boolean) => void;
};

/** A list that is loaded in part is saved in part. */
const savedText = (path: string, part: { readonly loaded: number; readonly total: string } | undefined): string =>
  part === undefined ? t('protocols.saved', { path }) : t('protocols.savedPart', { path, ...part });

const PlainSummary = (props: ProtocolSummaryProps) => {
  const { rows, of, busy, onRefresh, onSave, note, readsAll, onRead } = props;
  const styles = useStyles();
  useWordsRevision();
  const part = of === undefined ? undefined : { loaded: rows, total: t('count.protocol', { count: of }) };
  const [saved, setSaved] = useState<string>();
  const save = useAction(async () => {
    const path = await onSave();
    setSaved(path && savedText(path, part));
  });
  return (
    <div className={styles.summary}>
      <span role="status">
        {part === undefined ? t('count.protocol', { count: rows }) : t('protocols.loaded', part)}
      </span>
      <RefreshButton busy={busy} onClick={onRefresh} />
      <Button
        appearance="subtle"
        icon={<ArrowDownload20Regular />}
        disabledFocusable={save.busy || rows === 0}
        onClick={() => save.run()}
      >
        {t('protocols.save')}
      </Button>
      {note !== undefined && (
        <>
          <Text className={styles.more} title={note}>
            {note}
          </Text>
          <Button size="small" onClick={() => onRead(!readsAll)}>
            {readsAll ? t('protocols.stopReading') : t('protocols.readAll')}
          </Button>
        </>
      )}
      <span role="status" className={styles.more} title={saved}>
        {saved}
      </span>
    </div>
  );
};

/** The number of protocols, and the actions of the table. Memoized: it does not render with every letter. */
export const ProtocolSummary = memo(PlainSummary);
