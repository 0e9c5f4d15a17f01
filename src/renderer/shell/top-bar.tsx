import { Button, makeStyles, Tooltip, tokens } from '@fluentui/react-components';
import {
  ArrowLeft20Regular,
  ArrowRight20Regular,
  Navigation20Regular,
  QuestionCircle20Regular,
  Search20Regular,
} from '@fluentui/react-icons';
import { useApp, useSnapshot } from '../state/context.tsx';
import { isMac } from '../ui/is-mac.ts';
import { later } from '../ui/later.tsx';
import { unseen } from '../ui/styles.ts';
import { t } from '../words/words.ts';

const UploadIndicator = later(async () => (await import('./upload-indicator.tsx')).UploadIndicator);

const useStyles = makeStyles({
  bar: {
    display: 'flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalM,
    // As high as the system's window buttons (main/hosts/electron/desk-window.ts).
    boxSizing: 'border-box',
    height: '44px',
    padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalL} ${tokens.spacingVerticalXS}`,
    paddingRight: `calc(${tokens.spacingHorizontalL} + var(--frame-end))`,
    '@media (max-width: 479px)': {
      gap: tokens.spacingHorizontalXS,
      paddingLeft: `calc(${tokens.spacingHorizontalS} + var(--frame-start))`,
      paddingRight: `calc(${tokens.spacingHorizontalS} + var(--frame-end))`,
    },
    '@media print': { display: 'none' },
  },
  side: { '@media (min-width: 480px)': { display: 'none' } },
  // As wide as the other end: the search stays centred when an upload begins.
  steps: { display: 'flex', flex: '1 0 0' },
  search: {
    flex: '0 1 420px',
    justifyContent: 'flex-start',
    color: tokens.colorNeutralForeground3,
    fontWeight: tokens.fontWeightRegular,
    '@media (max-width: 479px)': { flexShrink: 0, flexBasis: 'auto', minWidth: '32px', padding: '5px' },
  },
  searchText: { display: 'contents', '@media (max-width: 479px)': { ...unseen, display: 'inline' } },
  keys: { marginInlineStart: 'auto', fontSize: tokens.fontSizeBase200 },
  end: {
    display: 'flex',
    flex: '1 0 0',
    alignItems: 'center',
    justifyContent: 'flex-end',
    gap: tokens.spacingHorizontalXS,
  },
});

type TopBarProps = {
  readonly onSearch: () => void;
  readonly onKeys: () => void;
  /** The navigation, which a window of a phone's width shows only on request. */
  readonly side: { readonly id: string; readonly isOpen: boolean; readonly toggle: () => void };
};

/** The top bar: back and forward, global search, uploads in progress. */
export const TopBar = ({ onSearch, onKeys, side }: TopBarProps) => {
  const styles = useStyles();
  const back = useApp((state) => state.back);
  const forward = useApp((state) => state.forward);
  const atStart = useApp(({ history }) => history.back.length === 0);
  const atEnd = useApp(({ history }) => history.forward.length === 0);
  const hasUploads = useSnapshot(({ batches }) => batches.length > 0);
  return (
    <div className={styles.bar}>
      <Button
        className={styles.side}
        appearance="subtle"
        icon={<Navigation20Regular />}
        aria-label={t('shell.main')}
        title={t('shell.main')}
        aria-expanded={side.isOpen}
        aria-controls={side.id}
        onClick={side.toggle}
      />
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
        <span className={styles.searchText}>
          {t('search.everywhere')}
          <span className={styles.keys} aria-hidden="true">
            {isMac() ? '⌘ K' : `${t('shortcuts.key.control')} K`}
          </span>
        </span>
      </Button>
      <div className={styles.end}>
        {hasUploads && <UploadIndicator />}
        <Tooltip content={t('shortcuts.title')} relationship="label">
          <Button appearance="subtle" icon={<QuestionCircle20Regular />} onClick={onKeys} />
        </Tooltip>
      </div>
    </div>
  );
};
