import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import {
  ArrowRight20Regular,
  ArrowUpload20Regular,
  ClipboardTaskListLtr20Regular,
  Document20Regular,
  TaskListLtr20Regular,
} from '@fluentui/react-icons';
import { useEffect } from 'react';
import { FoundInLine, Marked } from '../../ui/data-table/marked.tsx';
import { t } from '../../words/words.ts';
import type { ResultKind, SearchResult } from './search-result.ts';

const useStyles = makeStyles({
  list: { maxHeight: '56vh', overflow: 'auto', padding: tokens.spacingVerticalS, ':empty': { display: 'none' } },
  kind: {
    padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalM} ${tokens.spacingVerticalXS}`,
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    fontWeight: tokens.fontWeightSemibold,
  },
  result: {
    display: 'flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalM,
    padding: `${tokens.spacingVerticalSNudge} ${tokens.spacingHorizontalM}`,
    borderRadius: tokens.borderRadiusMedium,
    cursor: 'pointer',
    ':hover': { backgroundColor: tokens.colorNeutralBackground1Hover },
  },
  // The outline is visible in forced colours.
  active: {
    backgroundColor: tokens.colorNeutralBackground1Selected,
    outline: `1px solid ${tokens.colorTransparentStroke}`,
  },
  icon: { flexShrink: 0, color: tokens.colorNeutralForeground3 },
  text: { minWidth: 0 },
  line: { display: 'block', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  detail: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
});

const icons: Readonly<Record<ResultKind, typeof ArrowUpload20Regular>> = {
  protocols: ClipboardTaskListLtr20Regular,
  assignments: TaskListLtr20Regular,
  uploads: ArrowUpload20Regular,
  files: Document20Regular,
  more: ArrowRight20Regular,
};

type ResultListProps = {
  /** The id of the list; the id of a result adds its position. */
  readonly id: string;
  readonly results: readonly SearchResult[];
  /** The text for which they were found: its words are marked. */
  readonly searched: string;
  readonly active: number;
  readonly onOpen: (result: SearchResult) => void;
};

/** The results by kind. The search field handles the keyboard: see `SearchPanel`. */
export const ResultList = ({ id, results, searched, active, onOpen }: ResultListProps) => {
  const styles = useStyles();
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);
  return (
    <div id={id} role="listbox" aria-label={t('search.everywhere')} className={styles.list}>
      {[...Map.groupBy(results, ({ kind }) => kind)].map(([kind, found]) => {
        const name = t(`search.${kind}`);
        const Icon = icons[kind];
        return (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms.
          <div key={kind} role="group" aria-label={name}>
            <div className={styles.kind} aria-hidden="true">
              {name}
            </div>
            {found.map((result) => {
              const position = results.indexOf(result);
              return (
                // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the active one.
                // biome-ignore lint/a11y/useKeyWithClickEvents: as above.
                <div
                  key={result.key}
                  id={`${id}-${position}`}
                  role="option"
                  aria-selected={position === active}
                  className={mergeClasses(styles.result, position === active && styles.active)}
                  onClick={() => onOpen(result)}
                >
                  <Icon className={styles.icon} aria-hidden="true" />
                  <span className={styles.text} title={[result.title, result.detail].filter(Boolean).join('\n')}>
                    <span className={styles.line}>
                      <Marked text={result.title} searched={kind === 'more' ? '' : searched} />
                    </span>
                    {result.detail !== '' && (
                      <span className={mergeClasses(styles.line, styles.detail)}>
                        <Marked text={result.detail} searched={searched} />
                      </span>
                    )}
                    <FoundInLine fields={result.foundIn} />
                  </span>
                </div>
              );
            })}
          </div>
        );
      })}
    </div>
  );
};
