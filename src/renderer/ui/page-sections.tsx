import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { useRef, useState } from 'react';
import { useWindowEvent } from './hooks.ts';
import { Part, type PartProps } from './page.tsx';
import { bareButton, bareList, currentMark, stacked } from './styles.ts';

export type PageSection = PartProps & { readonly id: string };

const besideThem = '@media (min-width: 800px)';

const useStyles = makeStyles({
  columns: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr)',
    gap: tokens.spacingVerticalXXL,
    [besideThem]: {
      gridTemplateColumns: '200px minmax(0, 1fr)',
      columnGap: tokens.spacingHorizontalXXXL,
    },
    '@media print': { display: 'block' },
  },
  contents: {
    marginInlineStart: `calc(-1 * ${tokens.spacingHorizontalM})`,
    [besideThem]: {
      position: 'sticky',
      top: 0,
      alignSelf: 'start',
      maxHeight: 'calc(100vh - 120px)',
      overflow: 'auto',
    },
    '@media print': { display: 'none' },
  },
  names: {
    ...bareList,
    display: 'flex',
    flexWrap: 'wrap',
    gap: tokens.spacingVerticalXXS,
    [besideThem]: { flexDirection: 'column' },
  },
  name: {
    ...bareButton,
    position: 'relative',
    width: '100%',
    minHeight: '32px',
    padding: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalM}`,
    borderRadius: tokens.borderRadiusMedium,
    color: tokens.colorNeutralForeground2,
    textAlign: 'start',
    cursor: 'pointer',
    ':hover': { backgroundColor: tokens.colorNeutralBackground1Hover },
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '-2px' },
  },
  current: {
    [besideThem]: {
      color: tokens.colorNeutralForeground1,
      fontWeight: tokens.fontWeightSemibold,
      ...currentMark('8px'),
    },
  },
  sections: { ...stacked(tokens.spacingVerticalXXL), minWidth: 0, maxWidth: '760px' },
});

/** The section being read is the last one whose top is above this distance in px from the top of the window. */
const READ_FROM_PX = 160;

type PageSectionsProps = {
  readonly label: string;
  readonly sections: readonly PageSection[];
};

/** Scrolls to a section of the page in view, and gives its heading the focus. */
export const goToSection = (id: string): void => {
  const section = [...document.querySelectorAll(`[data-section="${CSS.escape(id)}"]`)].find((one) =>
    one.checkVisibility(),
  );
  section?.scrollIntoView({ block: 'start' });
  section?.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true });
};

/**
 * The sections of a long page, with a list of their names, which are buttons that scroll to them. The list is at the
 * left or, in a narrow window, above the sections. It marks the section being read.
 */
export const PageSections = ({ label, sections }: PageSectionsProps) => {
  const styles = useStyles();
  const [marked, mark] = useState<string>();
  const list = useRef<HTMLDivElement>(null);
  const current = sections.some(({ id }) => id === marked) ? marked : sections[0]?.id;
  const parts = (): readonly Element[] => [...(list.current?.children ?? [])];
  useWindowEvent(
    'scroll',
    () => {
      const tops = parts().map((part) => part.getBoundingClientRect());
      const isRead = tops.findLastIndex(({ top }) => top < READ_FROM_PX);
      // At the end of the page, the last sections cannot reach the top, so a section that was chosen stays marked.
      const chosen = tops[sections.findIndex(({ id }) => id === current)];
      const atEnd = (tops.at(-1)?.bottom ?? 0) <= innerHeight;
      if (!atEnd || chosen === undefined || chosen.top < 0) mark(sections[Math.max(0, isRead)]?.id);
    },
    true,
  );
  const go = (id: string): void => {
    goToSection(id);
    mark(id);
  };
  return (
    <div className={styles.columns}>
      <nav aria-label={label} className={styles.contents}>
        <ul className={styles.names}>
          {sections.map(({ id, title }) => (
            <li key={id}>
              <button
                type="button"
                className={mergeClasses(styles.name, id === current && styles.current)}
                aria-current={id === current ? 'location' : undefined}
                onClick={() => go(id)}
              >
                {title}
              </button>
            </li>
          ))}
        </ul>
      </nav>
      <div ref={list} className={styles.sections}>
        {sections.map(({ id, ...part }) => (
          <div key={id} data-section={id}>
            <Part {...part} />
          </div>
        ))}
      </div>
    </div>
  );
};
