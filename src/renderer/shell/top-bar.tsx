import { Button, makeStyles, Tooltip, tokens } from '@fluentui/react-components';
import {
  ArrowLeft20Regular,
  ArrowRight20Regular,
  QuestionCircle20Regular,
  Search20Regular,
} from '@fluentui/react-icons';
import { Suspense } from 'react';
import { useApp, useSnapshot } from '../state/context.tsx';
import { isMac } from '../ui/is-mac.ts';
import { later } from '../ui/later.ts';
import { t } from '../words/words.ts';

const UploadIndicator = later(async () => (await import('./upload-indicator.tsx')).UploadIndicator);

const useStyles = makeStyles({
  bar: {
    display: 'flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalM,
    // As high as the system's window buttons (main/hosts/electron/title-bar.ts).
    boxSizing: 'border-box',
    height: '44px',
    padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalL} ${tokens.spacingVerticalXS}`,
    paddingRight: `calc(${tokens.spacingHorizontalL} + var(--frame-end))`,
    '@media print': { display: 'none' },
  },
  // As wide as the other end: the search stays centred when an upload begins.
  steps: { display: 'flex', flex: '1 0 0' },
  search: {
    flex: '0 1 420px',
    justifyContent: 'flex-start',
    color: tokens.colorNeutralForeground3,
    fontWeight: tokens.fontWeightRegular,
  },
  keys: { marginInlineStart: 'auto', fontSize: tokens.fontSizeBase200 },
  end: {
    display: 'flex',
    flex: '1 0 0',
    alignItems: 'center',
    justifyContent: 'flex-end',
    gap: tokens.spacingHorizontalXS,
  },
});

type TopBarProps = { readonly onSearch: () => void; readonly onKeys: () => void };

/** The top bar: back and forward, global search, uploads in progress. */
export const TopBar = ({ onSearch, onKeys }: TopBarProps) => {
  const styles = useStyles();
  const back = useApp((state) => state.back);
  const forward = useApp((state) => state.forward);
  const atStart = useApp(({ history }) => history.back.length === 0);
  const atEnd = useApp(({ history }) => history.forward.length === 0);
  const hasUploads = useSnapshot(({ batches }) => batches.length > 0);
  return (
    <div className={styles.bar}>
      <div className={styles.steps}>
        <Tooltip content={t('shell.back')} relationship="label">
          <Button appearance="subtle" icon={<ArrowLeft20Regular />} disabledFocusable={atStart} onClick={back} />
        </Tooltip>
        <Tooltip content={t('shell.forward')} relationship="label">
          <Button appearance="subtle" icon={<ArrowRight20Regular />} disabledFocusable={atEnd} onClick={forward} />
        </Tooltip>
      </div>
      <Button
        className={styles.search}
        icon={<Search20Regular />}
        aria-keyshortcuts="Control+K Meta+K"
        onClick={onSearch}
      >
        {t('search.everywhere')}
        <span className={styles.keys} aria-hidden="true">
          {isMac() ? '⌘ K' : `${t('shortcuts.key.control')} K`}
        </span>
      </Button>
      <div className={styles.end}>
        <Suspense>{hasUploads && <UploadIndicator />}</Suspense>
        <Tooltip content={t('shortcuts.title')} relationship="label">
          <Button appearance="subtle" icon={<QuestionCircle20Regular />} onClick={onKeys} />
        </Tooltip>
      </div>
    </div>
  );
};
