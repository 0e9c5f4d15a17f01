import { makeStyles, mergeClasses, Tooltip, tokens } from '@fluentui/react-components';
import {
  AddSquare20Filled,
  AddSquare20Regular,
  ArrowUpload20Filled,
  ArrowUpload20Regular,
  BookQuestionMark20Filled,
  BookQuestionMark20Regular,
  CalendarLtr20Filled,
  CalendarLtr20Regular,
  ClipboardTaskListLtr20Filled,
  ClipboardTaskListLtr20Regular,
  DocumentSearch20Filled,
  DocumentSearch20Regular,
  type FluentIcon,
  Home20Filled,
  Home20Regular,
  Settings20Filled,
  Settings20Regular,
  TaskListSquareLtr20Filled,
  TaskListSquareLtr20Regular,
} from '@fluentui/react-icons';
import type { ReactElement } from 'react';
import { isActive } from '../../contract/uploads.ts';
import { countUploads } from '../domain/uploads/batch-words.ts';
import { type Section, sectionOf, useApp, useSnapshot } from '../state/store.tsx';
import { useMedia } from '../ui/hooks.ts';
import { lazily } from '../ui/lazy.tsx';
import { bareButton, bareList, currentMark, folded, sideBySide, stacked, unseen } from '../ui/styles.ts';
import { t } from '../words/words.ts';

const SectionCount = lazily(async () => (await import('./upload-signs.tsx')).SectionCount);

/** The sections in their order: name, title, icon, and icon while the section is the current one. */
const entries = [
  ['overview', 'overview.title', Home20Regular, Home20Filled],
  ['protocols', 'protocols.title', ClipboardTaskListLtr20Regular, ClipboardTaskListLtr20Filled],
  ['assignments', 'work.title', TaskListSquareLtr20Regular, TaskListSquareLtr20Filled],
  ['orderable-events', 'protocols.events.title', CalendarLtr20Regular, CalendarLtr20Filled],
  ['new-upload', 'newUpload.title', AddSquare20Regular, AddSquare20Filled],
  ['uploads', 'uploads.title', ArrowUpload20Regular, ArrowUpload20Filled],
  ['files', 'common.files', DocumentSearch20Regular, DocumentSearch20Filled],
  ['settings', 'settings.title', Settings20Regular, Settings20Filled],
  ['help', 'shell.help', BookQuestionMark20Regular, BookQuestionMark20Filled],
] as const satisfies readonly (readonly [Section, string, FluentIcon, FluentIcon])[];

const useStyles = makeStyles({
  list: {
    ...bareList,
    padding: tokens.spacingHorizontalS,
    ...stacked(tokens.spacingVerticalXXS),
  },
  entry: {
    ...bareButton,
    position: 'relative',
    ...sideBySide(tokens.spacingHorizontalM),
    width: '100%',
    minHeight: '40px',
    padding: `0 ${tokens.spacingHorizontalM}`,
    borderRadius: tokens.borderRadiusMedium,
    color: tokens.colorNeutralForeground2,
    textAlign: 'start',
    cursor: 'pointer',
    ':hover': { backgroundColor: tokens.colorNeutralBackground3Hover },
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}` },
    [folded]: { justifyContent: 'center', padding: 0 },
  },
  current: {
    color: tokens.colorNeutralForeground1,
    fontWeight: tokens.fontWeightSemibold,
    backgroundColor: tokens.colorNeutralBackground3Selected,
    '& svg': { color: tokens.colorCompoundBrandForeground1 },
    ...currentMark('10px'),
  },
  name: {
    flexGrow: 1,
    [folded]: unseen,
    // Reserves the width of the name in bold. Otherwise the page would move when a section becomes the current one.
    '::after': {
      content: 'attr(data-name)',
      display: 'block',
      height: 0,
      overflow: 'hidden',
      visibility: 'hidden',
      fontWeight: tokens.fontWeightSemibold,
    },
  },
});

/** Shows `name` as a tooltip while the navigation is folded to icons. */
export const SideTip = ({ name, children }: { readonly name: string; readonly children: ReactElement }) =>
  useMedia(folded.replace('@media ', '')) ? (
    <Tooltip content={name} relationship="inaccessible" positioning="after">
      {children}
    </Tooltip>
  ) : (
    children
  );

export const Navigation = () => {
  const styles = useStyles();
  const current = useApp(({ history }) => sectionOf(history.place));
  const open = useApp((state) => state.open);
  const active = useSnapshot(({ batches }) => countUploads(batches.filter(isActive)));
  const undecided = useSnapshot(({ draft }) => draft?.counts.undecided ?? 0);
  const badges: Partial<Readonly<Record<Section, { readonly count: number; readonly label: string } | false>>> = {
    'new-upload': undecided > 0 && {
      count: undecided,
      label: t('newUpload.start.undecided', { count: undecided }),
    },
    uploads: active > 0 && { count: active, label: t('shell.runningUploads', { count: active }) },
  };
  return (
    <nav aria-label={t('shell.main')}>
      <ul className={styles.list}>
        {entries.map(([section, name, Icon, CurrentIcon]) => (
          <li key={section}>
            <SideTip name={t(name)}>
              <button
                type="button"
                className={mergeClasses(styles.entry, section === current && styles.current)}
                aria-current={section === current ? 'page' : undefined}
                onClick={() => open({ name: section })}
              >
                {section === current ? <CurrentIcon aria-hidden="true" /> : <Icon aria-hidden="true" />}
                <span className={styles.name} data-name={t(name)}>
                  {t(name)}
                </span>
                {badges[section] && <SectionCount {...badges[section]} />}
              </button>
            </SideTip>
          </li>
        ))}
      </ul>
    </nav>
  );
};
