import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  DialogTrigger,
  makeStyles,
  tokens,
} from '@fluentui/react-components';
import { t } from '../words/words.ts';
import { isMac } from './is-mac.ts';
import type { DialogProps } from './use-dialogs.ts';

const useStyles = makeStyles({
  list: { display: 'grid', gridTemplateColumns: '1fr auto', gap: `${tokens.spacingVerticalM} 0`, margin: 0 },
  row: { display: 'contents' },
  keys: { margin: 0, textAlign: 'end' },
  key: {
    padding: `${tokens.spacingVerticalXXS} ${tokens.spacingHorizontalS}`,
    border: `1px solid ${tokens.colorNeutralStroke1}`,
    borderRadius: tokens.borderRadiusMedium,
    fontFamily: tokens.fontFamilyBase,
    fontSize: tokens.fontSizeBase200,
  },
});

type Shortcut = { readonly does: string; readonly keys: string };

const shortcuts = (): readonly Shortcut[] => [
  { does: t('shortcuts.search'), keys: isMac() ? '⌘ K' : 'Ctrl + K' },
  { does: t('shell.back'), keys: isMac() ? '⌘ [' : 'Alt + ←' },
  { does: t('shell.forward'), keys: isMac() ? '⌘ ]' : 'Alt + →' },
  { does: t('shortcuts.rows'), keys: '↑ ↓' },
  { does: t('shortcuts.pageOfRows'), keys: 'Page Up, Page Down' },
  { does: t('shortcuts.ends'), keys: 'Home, End' },
  { does: t('shortcuts.headings'), keys: '← →' },
  { does: t('shortcuts.width'), keys: 'Shift + ← →' },
  { does: t('shortcuts.openRow'), keys: 'Enter' },
  { does: t('shortcuts.close'), keys: 'Esc' },
  { does: t('shortcuts.show'), keys: '?' },
];

/** Every key that does something of its own. */
export const ShortcutsDialog = ({ open, onClose }: DialogProps) => {
  const styles = useStyles();
  return (
    <Dialog open={open} onOpenChange={onClose}>
      <DialogSurface>
        <DialogBody>
          <DialogTitle>{t('shortcuts.title')}</DialogTitle>
          <DialogContent>
            <dl className={styles.list}>
              {shortcuts().map(({ does, keys }) => (
                <div key={does} className={styles.row}>
                  <dt>{does}</dt>
                  <dd className={styles.keys}>
                    <kbd className={styles.key}>{keys}</kbd>
                  </dd>
                </div>
              ))}
            </dl>
          </DialogContent>
          <DialogActions>
            <DialogTrigger disableButtonEnhancement>
              <Button>{t('common.close')}</Button>
            </DialogTrigger>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
};
