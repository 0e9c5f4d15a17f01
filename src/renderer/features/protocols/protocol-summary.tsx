import { Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import { ArrowDownload20Regular } from '@fluentui/react-icons';
import { memo, useState } from 'react';
import type { CachedProtocol } from '../../../contract/offline.ts';
import { useDesk } from '../../app/context.tsx';
import { useAction } from '../../app/use-action.ts';
import { useFormats } from '../../app/use-formats.ts';
import { RefreshButton } from '../../ui/refresh-button.tsx';
import type { ReadWindow } from '../../ui/use-windows.ts';
import { t } from '../../words/words.ts';

const useStyles = makeStyles({
  summary: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalS, minHeight: '32px' },
  more: {
    minWidth: 0,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    color: tokens.colorNeutralForeground3,
  },
});

export type ProtocolSummaryProps = {
  readonly rows: number;
  /** How many there are at the service; undefined where that is not known, or all are here. */
  readonly of: number | undefined;
  readonly busy: boolean;
  readonly onRefresh: () => void;
  readonly read: ReadWindow<CachedProtocol>;
  /** Where filters leave only a part of a part: how much was looked through, and reading the rest. */
  readonly more?:
    | {
        readonly kept: number;
        readonly total: number;
        readonly readsAll: boolean;
        readonly onRead: (readsAll: boolean) => void;
      }
    | undefined;
};

const PlainSummary = ({ rows, of, busy, onRefresh, read, more }: ProtocolSummaryProps) => {
  const styles = useStyles();
  const desk = useDesk();
  useFormats();
  const [path, setPath] = useState<string>();
  const save = useAction(async () => {
    const { protocolSheet } = await import('./protocol-sheet.ts');
    const saved = await desk.export.csv(await protocolSheet(read));
    setPath(saved?.path);
  });
  return (
    <div className={styles.summary}>
      <span role="status">
        {of === undefined
          ? t('count.protocol', { count: rows })
          : t('protocols.loaded', { loaded: rows, total: t('count.protocol', { count: of }) })}
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
      {more !== undefined && (
        <>
          <Text className={styles.more}>
            {t('protocols.among', { kept: more.kept, total: t('count.protocol', { count: more.total }) })}
          </Text>
          <Button size="small" onClick={() => more.onRead(!more.readsAll)}>
            {more.readsAll ? t('protocols.stopReading') : t('protocols.readAll')}
          </Button>
        </>
      )}
      <span role="status" className={styles.more}>
        {path !== undefined && t('protocols.saved', { path })}
      </span>
    </div>
  );
};

/** How many protocols there are, and what can be done with them as they are listed. Not rendered with every letter. */
export const ProtocolSummary = memo(PlainSummary);
