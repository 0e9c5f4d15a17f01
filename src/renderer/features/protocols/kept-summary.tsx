import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { ArrowDownload20Regular } from '@fluentui/react-icons';
import { useState } from 'react';
import type { CachedProtocol } from '../../../contract/offline.ts';
import { useDesk } from '../../app/context.tsx';
import { useAction } from '../../app/use-action.ts';
import type { ReadWindow } from '../../ui/use-windows.ts';
import { t } from '../../words/words.ts';
import { protocolSheet } from './protocol-sheet.ts';

const useStyles = makeStyles({
  summary: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalM },
  saved: { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
});

export type KeptSummaryProps = { readonly total: number; readonly read: ReadWindow<CachedProtocol> };

/** How many there are, and saving them all as they are listed. */
export const KeptSummary = ({ total, read }: KeptSummaryProps) => {
  const styles = useStyles();
  const desk = useDesk();
  const [path, setPath] = useState<string>();
  const save = useAction(async () => {
    const saved = await desk.export.csv(await protocolSheet(read));
    setPath(saved?.path);
  });
  return (
    <div className={styles.summary}>
      <span role="status">{t('count.protocol', { count: total })}</span>
      <Button
        appearance="subtle"
        icon={<ArrowDownload20Regular />}
        disabledFocusable={save.busy || total === 0}
        onClick={() => save.run()}
      >
        {t('protocols.kept.save')}
      </Button>
      <span role="status" className={styles.saved}>
        {path !== undefined && t('protocols.kept.saved', { path })}
      </span>
    </div>
  );
};
