import { makeStyles, tokens } from '@fluentui/react-components';
import { DialogFrame } from '../ui/dialog-frame.tsx';
import { isMac } from '../ui/is-mac.ts';
import { t } from '../words/words.ts';

const useStyles = makeStyles({
  groups: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fit, minmax(min(280px, 100%), 1fr))',
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

const groups = (isOnMac: boolean): readonly Group[] => {
  const withControl = (key: string): string => (isOnMac ? `⌘ ${key}` : `${t('shortcuts.key.control')} + ${key}`);
  return [
    {
      title: t('shortcuts.everywhere'),
      shortcuts: [
        { does: t('search.everywhere'), keys: withControl('K') },
        { does: t('newUpload.title'), keys: withControl('N') },
        { does: t('shortcuts.find'), keys: withControl('F') },
        { does: t('shortcuts.intoTable'), keys: '↓' },
        { does: t('shortcuts.readAgain'), keys: `F5, ${withControl('R')}` },
        { does: t('shell.back'), keys: isOnMac ? '⌘ [' : 'Alt + ←' },
        { does: t('shell.forward'), keys: isOnMac ? '⌘ ]' : 'Alt + →' },
        { does: t('settings.title'), keys: withControl(',') },
        { does: t('shortcuts.close'), keys: t('shortcuts.key.escape') },
        { does: t('shell.help'), keys: 'F1' },
        { does: t('shortcuts.show'), keys: '?' },
      ],
    },
    {
      title: t('shortcuts.inTables'),
      shortcuts: [
        { does: t('shortcuts.rows'), keys: '↑ ↓' },
        { does: t('shortcuts.pageOfRows'), keys: `${t('shortcuts.key.pageUp')}, ${t('shortcuts.key.pageDown')}` },
        { does: t('shortcuts.ends'), keys: `${t('shortcuts.key.home')}, ${t('shortcuts.key.end')}` },
        { does: t('shortcuts.openRow'), keys: t('shortcuts.key.enter') },
        ...(isOnMac ? [] : [{ does: t('shortcuts.menu'), keys: `${t('shortcuts.key.shift')} + F10` }]),
        { does: t('shortcuts.select'), keys: t('shortcuts.key.space') },
        { does: t('shortcuts.selectMore'), keys: `${t('shortcuts.key.shift')} + ↑ ↓` },
        { does: t('shortcuts.selectAll'), keys: withControl('A') },
        { does: t('shortcuts.headings'), keys: '← →' },
        { does: t('shortcuts.sort'), keys: t('shortcuts.key.enter') },
        { does: t('shortcuts.width'), keys: `${t('shortcuts.key.shift')} + ← →` },
      ],
    },
    {
      title: t('shortcuts.inNewUpload'),
      shortcuts: [
        { does: t('shortcuts.takePart'), keys: t('shortcuts.key.space') },
        { does: t('shortcuts.choose'), keys: t('shortcuts.key.enter') },
        { does: t('shortcuts.chooseNumber'), keys: isOnMac ? '⌥ 1–9' : 'Alt + 1–9' },
        { does: t('shortcuts.chooseAlike'), keys: withControl(t('shortcuts.key.enter')) },
        { does: t('shortcuts.accept'), keys: withControl(t('shortcuts.key.enter')) },
        { does: t('common.undo'), keys: withControl('Z') },
      ],
    },
  ];
};

export const ShortcutsDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const styles = useStyles();
  return (
    <DialogFrame title={t('shortcuts.title')} onClose={onClose}>
      <div className={styles.groups}>
        {groups(isMac()).map(({ title, shortcuts }) => (
          <section key={title}>
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
        ))}
      </div>
    </DialogFrame>
  );
};
