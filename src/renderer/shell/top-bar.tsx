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
import { folded, narrow, unseen } from '../ui/styles.ts';
import { t } from '../words/words.ts';

const UploadIndicator = later(async () => (await import('./upload-indicator.tsx')).UploadIndicator);

const useStyles = makeStyles({
  bar: {
    display: 'flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalXS,
    // As high as the system's window buttons (main/hosts/electron/desk-window.ts).
    boxSizing: 'border-box',
    height: '44px',
    padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalL} ${tokens.spacingVerticalXS}`,
    paddingRight: `calc(${tokens.spacingHorizontalL} + var(--frame-end))`,
    // The buttons of a Mac's window are wider than the folded navigation.
    [folded]: { paddingLeft: `max(${tokens.spacingHorizontalL}, calc(var(--frame-start) - 48px))` },
    [narrow]: {
      paddingLeft: `calc(${tokens.spacingHorizontalS} + var(--frame-start))`,
      paddingRight: `calc(${tokens.spacingHorizontalS} + var(--frame-end))`,
    },
    '@media print': { display: 'none' },
  },
  side: { '@media (min-width: 480px)': { display: 'none' } },
  steps: { display: 'flex', flexGrow: 1 },
  // A command and no box: the one search box that a user sees is that of the page.
  search: { fontWeight: tokens.fontWeightRegular, [narrow]: { minWidth: '32px', padding: '5px' } },
  searchText: { [narrow]: unseen },
  keys: {
    marginInlineStart: tokens.spacingHorizontalM,
    fontSize: tokens.fontSizeBase200,
    color: tokens.colorNeutralForeground3,
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
      {hasUploads && <UploadIndicator />}
      <Button
        className={styles.search}
        appearance="subtle"
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
      <Tooltip content={t('shortcuts.title')} relationship="label">
        <Button appearance="subtle" icon={<QuestionCircle20Regular />} onClick={onKeys} />
      </Tooltip>
    </div>
  );
};
