import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import {
  AddSquare20Filled,
  AddSquare20Regular,
  ArrowUpload20Filled,
  ArrowUpload20Regular,
  BookQuestionMark20Filled,
  BookQuestionMark20Regular,
  BuildingMultiple20Filled,
  BuildingMultiple20Regular,
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
} from '@fluentui/react-icons';
import { Suspense } from 'react';
import { isActive } from '../../contract/uploads.ts';
import { useApp, useSnapshot } from '../state/context.tsx';
import { type Section, sectionOf } from '../state/places.ts';
import { later } from '../ui/later.ts';
import { t } from '../words/words.ts';

const SectionCount = later(async () => (await import('./section-count.tsx')).SectionCount);

type Entry = {
  readonly section: Section;
  readonly name: () => string;
  readonly Icon: FluentIcon;
  readonly CurrentIcon: FluentIcon;
};

const entries: readonly Entry[] = [
  { section: 'overview', name: () => t('overview.title'), Icon: Home20Regular, CurrentIcon: Home20Filled },
  {
    section: 'protocols',
    name: () => t('protocols.title'),
    Icon: ClipboardTaskListLtr20Regular,
    CurrentIcon: ClipboardTaskListLtr20Filled,
  },
  {
    section: 'projects',
    name: () => t('protocols.projects.title'),
    Icon: BuildingMultiple20Regular,
    CurrentIcon: BuildingMultiple20Filled,
  },
  {
    section: 'orderable-events',
    name: () => t('protocols.events.title'),
    Icon: CalendarLtr20Regular,
    CurrentIcon: CalendarLtr20Filled,
  },
  {
    section: 'new-upload',
    name: () => t('newUpload.title'),
    Icon: AddSquare20Regular,
    CurrentIcon: AddSquare20Filled,
  },
  { section: 'uploads', name: () => t('uploads.title'), Icon: ArrowUpload20Regular, CurrentIcon: ArrowUpload20Filled },
  {
    section: 'files',
    name: () => t('files.title'),
    Icon: DocumentSearch20Regular,
    CurrentIcon: DocumentSearch20Filled,
  },
  { section: 'settings', name: () => t('settings.title'), Icon: Settings20Regular, CurrentIcon: Settings20Filled },
  {
    section: 'help',
    name: () => t('shell.help'),
    Icon: BookQuestionMark20Regular,
    CurrentIcon: BookQuestionMark20Filled,
  },
];

const useStyles = makeStyles({
  list: {
    listStyle: 'none',
    margin: 0,
    padding: tokens.spacingHorizontalS,
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalXXS,
    '@media (min-width: 480px) and (max-width: 999px)': {
      padding: `${tokens.spacingHorizontalS} ${tokens.spacingHorizontalXS}`,
    },
  },
  entry: {
    position: 'relative',
    display: 'flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalM,
    width: '100%',
    minHeight: '40px',
    padding: `0 ${tokens.spacingHorizontalM}`,
    border: 'none',
    borderRadius: tokens.borderRadiusMedium,
    background: 'none',
    font: 'inherit',
    color: tokens.colorNeutralForeground2,
    textAlign: 'start',
    cursor: 'pointer',
    ':hover': { backgroundColor: tokens.colorNeutralBackground3Hover },
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}` },
    '@media (min-width: 480px) and (max-width: 999px)': {
      flexDirection: 'column',
      gap: 0,
      padding: `6px 2px`,
      textAlign: 'center',
    },
  },
  current: {
    color: tokens.colorNeutralForeground1,
    fontWeight: tokens.fontWeightSemibold,
    backgroundColor: tokens.colorNeutralBackground3Selected,
    '& svg': { color: tokens.colorCompoundBrandForeground1 },
    // A border, because it stays visible with forced colours.
    '::before': {
      content: '""',
      position: 'absolute',
      left: 0,
      top: '10px',
      bottom: '10px',
      borderLeft: `3px solid ${tokens.colorCompoundBrandStroke}`,
      borderRadius: tokens.borderRadiusCircular,
    },
  },
  name: {
    flexGrow: 1,
    '@media (min-width: 480px) and (max-width: 999px)': {
      fontSize: tokens.fontSizeBase100,
      lineHeight: tokens.lineHeightBase100,
    },
  },
});

/** How many there are, beside the name of a section; nothing for none. */
const Badge = ({ count = 0, label }: { readonly count?: number; readonly label?: string }) => (
  <Suspense>{count > 0 && <SectionCount count={count} label={label} />}</Suspense>
);

/** All words in the navigation, to measure how much room they take. */
export const sectionNames = (): string => entries.map(({ name }) => name()).join(' ');

/** The navigation between the sections of the app. */
export const Navigation = () => {
  const styles = useStyles();
  const current = useApp(({ history }) => sectionOf(history.place));
  const open = useApp((state) => state.open);
  const active = useSnapshot(({ batches }) => batches.filter(isActive).length);
  const undecided = useSnapshot(({ draft }) => draft?.counts.undecided ?? 0);
  const badges: Partial<Readonly<Record<Section, { readonly count: number; readonly label: string }>>> = {
    'new-upload': { count: undecided, label: t('newUpload.start.undecided', { count: undecided }) },
    uploads: { count: active, label: t('shell.runningUploads', { count: active }) },
  };
  return (
    <nav aria-label={t('shell.main')}>
      <ul className={styles.list}>
        {entries.map(({ section, name, Icon, CurrentIcon }) => (
          <li key={section}>
            <button
              type="button"
              className={mergeClasses(styles.entry, section === current && styles.current)}
              aria-current={section === current ? 'page' : undefined}
              onClick={() => open({ name: section })}
            >
              {section === current ? <CurrentIcon aria-hidden="true" /> : <Icon aria-hidden="true" />}
              <span className={styles.name}>{name()}</span>
              <Badge {...badges[section]} />
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
};
