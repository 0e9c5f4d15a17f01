import { Button, DialogTrigger, makeStyles, tokens } from '@fluentui/react-components';
import { DialogFrame, type DialogProps } from '../ui/dialog-frame.tsx';
import { isMac } from '../ui/is-mac.ts';
import { t } from '../words/words.ts';

const useStyles = makeStyles({
  groups: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fit, minmax(280px, 1fr))',
    alignItems: 'start',
    gap: `${tokens.spacingVerticalL} ${tokens.spacingHorizontalXXXL}`,
  },
  heading: {
    margin: `0 0 ${tokens.spacingVerticalS}`,
    fontSize: tokens.fontSizeBase200,
    color: tokens.colorNeutralForeground3,
  },
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
type Group = { readonly title: string; readonly shortcuts: readonly Shortcut[] };

const groups = (isOnMac: boolean): readonly Group[] => [
  {
    title: t('shortcuts.everywhere'),
    shortcuts: [
      { does: t('shortcuts.search'), keys: isOnMac ? '⌘ K' : 'Ctrl + K' },
      { does: t('shortcuts.find'), keys: isOnMac ? '⌘ F' : 'Ctrl + F' },
      { does: t('shortcuts.intoTable'), keys: '↓' },
      { does: t('shortcuts.readAgain'), keys: isOnMac ? 'F5, ⌘ R' : 'F5, Ctrl + R' },
      { does: t('shell.back'), keys: isOnMac ? '⌘ [' : 'Alt + ←' },
      { does: t('shell.forward'), keys: isOnMac ? '⌘ ]' : 'Alt + →' },
      { does: t('settings.title'), keys: isOnMac ? '⌘ ,' : 'Ctrl + ,' },
      { does: t('shortcuts.close'), keys: 'Esc' },
      { does: t('shell.help'), keys: 'F1' },
      { does: t('shortcuts.show'), keys: '?' },
    ],
  },
  {
    title: t('shortcuts.inTables'),
    shortcuts: [
      { does: t('shortcuts.rows'), keys: '↑ ↓' },
      { does: t('shortcuts.pageOfRows'), keys: 'Page Up, Page Down' },
      { does: t('shortcuts.ends'), keys: 'Home, End' },
      { does: t('shortcuts.openRow'), keys: 'Enter' },
      { does: t('shortcuts.select'), keys: 'Space' },
      { does: t('shortcuts.selectMore'), keys: 'Shift + ↑ ↓' },
      { does: t('shortcuts.selectAll'), keys: isOnMac ? '⌘ A' : 'Ctrl + A' },
      { does: t('shortcuts.headings'), keys: '← →' },
      { does: t('shortcuts.sort'), keys: 'Enter' },
      { does: t('shortcuts.width'), keys: 'Shift + ← →' },
    ],
  },
];

const ShortcutGroup = ({ title, shortcuts }: Group) => {
  const styles = useStyles();
  return (
    <section>
      <h3 className={styles.heading}>{title}</h3>
      <dl className={styles.list}>
        {shortcuts.map(({ does, keys }) => (
          <div key={does} className={styles.row}>
            <dt>{does}</dt>
            <dd className={styles.keys}>
              <kbd className={styles.key}>{keys}</kbd>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
};

/** Every key that does something of its own. */
export const ShortcutsDialog = ({ open, onClose }: DialogProps) => {
  const styles = useStyles();
  return (
    <DialogFrame
      title={t('shortcuts.title')}
      open={open}
      onClose={onClose}
      actions={
        <DialogTrigger disableButtonEnhancement>
          <Button>{t('common.close')}</Button>
        </DialogTrigger>
      }
    >
      <div className={styles.groups}>
        {groups(isMac()).map((group) => (
          <ShortcutGroup key={group.title} {...group} />
        ))}
      </div>
    </DialogFrame>
  );
};
