import {
  makeStyles,
  mergeClasses,
  Skeleton,
  SkeletonItem,
  Text,
  type TextProps,
  tokens,
  typographyStyles,
} from '@fluentui/react-components';
import { type ComponentProps, type FocusEvent, type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react';
import { bareList, lines, narrow, sideBySide, stacked, wrapping } from './styles.ts';

type PageProps = {
  readonly title: string;
  /** A place, a state, a count or a hint, next to the title or, without room, below it. */
  readonly subtitle?: ReactNode;
  /**
   * A text that says how many items there are, in place of a subtitle; empty if that is not known. It can change while
   * the user types.
   */
  readonly count?: string;
  /** The contents of the command bar: filters first, then the search, then the actions; the main action last. */
  readonly actions?: ReactNode;
  /**
   * The layout of the content below the heading. `scroll`: content that scrolls as a whole; `fill`: a table that takes
   * the remaining room; `free`: parts with layouts of their own.
   */
  readonly layout?: 'scroll' | 'fill' | 'free';
  readonly children: ReactNode;
};

/**
 * `Facts` shows values next to their names in a container of these widths. In a narrower container, a long name would
 * leave its value no room. A wider container has room for several columns, with values below their names.
 */
const beside = '@container (min-width: 301px) and (max-width: 400px)';

const useStyles = makeStyles({
  page: {
    display: 'flex',
    flexDirection: 'column',
    height: '100%',
    minHeight: 0,
    // In a low window, the table keeps a few rows and the page scrolls.
    overflowY: 'auto',
    '@media print': { height: 'auto', overflow: 'visible' },
  },
  header: {
    ...wrapping(`${tokens.spacingVerticalXS} ${tokens.spacingHorizontalL}`),
    flexShrink: 0,
    justifyContent: 'space-between',
    boxSizing: 'border-box',
    minHeight: '40px',
    padding: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalXXL}`,
    [narrow]: { paddingInline: tokens.spacingHorizontalM },
  },
  // If the longest word of the title would not fit, the actions wrap onto a line of their own.
  title: {
    display: 'flex',
    flex: '1 1 min-content',
    flexWrap: 'wrap',
    alignItems: 'baseline',
    columnGap: tokens.spacingHorizontalM,
    maxWidth: '100%',
  },
  // The minimum width of a title with a subtitle. In less room, the subtitle would take many lines.
  subtitled: { minWidth: 'min(200px, 100%)' },
  heading: {
    // Limits the title to three lines, because it can be a text from the service, of any length.
    ...lines(3),
    margin: 0,
    ...typographyStyles.subtitle1,
    outline: 'none',
    overflowWrap: 'break-word',
  },
  subtitle: { ...lines(3), color: tokens.colorNeutralForeground3 },
  // In a wide window, the count has one line, so that the page does not move when the count appears or changes.
  count: {
    flex: '1 1 4em',
    // The count wraps onto a line of its own if there is no room for its longest word.
    minWidth: 'min-content',
    overflowWrap: 'break-word',
    WebkitLineClamp: 1,
    [narrow]: { flex: '0 1 auto', WebkitLineClamp: 3 },
    '@media print': { WebkitLineClamp: 3 },
  },
  actions: {
    ...wrapping(tokens.spacingHorizontalS),
    justifyContent: 'flex-end',
    marginInlineStart: 'auto',
    maxWidth: '100%',
    '@media print': { display: 'none' },
  },
  scroll: {
    flexGrow: 1,
    minHeight: 0,
    overflow: 'auto',
    // Content that is already shown does not move when more is loaded and the scroll bar appears.
    scrollbarGutter: 'stable',
    ...stacked(tokens.spacingVerticalXXL),
    // Leaves room for a focus ring around the first line.
    padding: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalXXL} ${tokens.spacingVerticalXXL}`,
    [narrow]: { paddingInline: tokens.spacingHorizontalM },
    // In a low window, the heading would take half of the height, so the page scrolls as a whole.
    '@media (max-height: 480px)': { flexShrink: 0, overflow: 'visible' },
    '@media print': { overflow: 'visible' },
  },
  fill: {
    flex: '1 0 auto',
    ...stacked(tokens.spacingVerticalS),
    padding: `0 ${tokens.spacingHorizontalXXL}`,
    [narrow]: { padding: `0 ${tokens.spacingHorizontalM}` },
  },
  free: { display: 'contents' },
  columns: {
    ...stacked(tokens.spacingVerticalXXL),
    flexGrow: 1,
    '@media (min-width: 960px)': { flexDirection: 'row', columnGap: tokens.spacingHorizontalXXXL },
    '@media print': { display: 'block' },
  },
  main: { ...stacked(tokens.spacingVerticalXXL), flexGrow: 1, minWidth: 0 },
  details: {
    ...stacked(tokens.spacingVerticalXL),
    '@media (min-width: 960px)': {
      boxSizing: 'border-box',
      alignSelf: 'start',
      flex: '0 0 320px',
      padding: tokens.spacingHorizontalXL,
      borderRadius: tokens.borderRadiusLarge,
      backgroundColor: tokens.colorNeutralBackground2,
    },
    // Forced colours hide the background, so a border takes its place.
    '@media (forced-colors: active) and (min-width: 960px)': { border: '1px solid CanvasText' },
  },
  part: stacked(tokens.spacingVerticalS),
  partHeader: {
    ...wrapping(tokens.spacingHorizontalL),
    justifyContent: 'space-between',
  },
  partHeading: {
    margin: 0,
    ...typographyStyles.subtitle2,
    outline: 'none',
  },
  // A negative margin keeps buttons from pushing the heading down, so that parts side by side stay level.
  partActions: { ...sideBySide(tokens.spacingHorizontalS), marginBlock: '-5px' },
  line: wrapping(tokens.spacingHorizontalS),
  minor: { color: tokens.colorNeutralForeground3, overflowWrap: 'anywhere' },
  room: { containerType: 'inline-size' },
  facts: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fit, minmax(136px, auto))',
    justifyContent: 'start',
    gap: `${tokens.spacingVerticalM} ${tokens.spacingHorizontalXXXL}`,
    margin: 0,
    [beside]: {
      gridTemplateColumns: 'auto minmax(0, 1fr)',
      alignItems: 'baseline',
      columnGap: tokens.spacingHorizontalL,
      rowGap: tokens.spacingVerticalS,
    },
  },
  fact: { minWidth: 0, [beside]: { display: 'contents' } },
  name: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  value: {
    ...lines(12),
    margin: 0,
  },
  cards: {
    ...bareList,
    ...stacked(tokens.spacingVerticalM),
  },
  empty: {
    ...stacked(tokens.spacingVerticalM),
    alignItems: 'center',
    padding: tokens.spacingVerticalXXXL,
    textAlign: 'center',
  },
  emptyText: stacked(tokens.spacingVerticalXS),
  emptyHint: { color: tokens.colorNeutralForeground3 },
  skeleton: {
    ...stacked(tokens.spacingVerticalL),
    padding: `${tokens.spacingVerticalM} ${tokens.spacingHorizontalM}`,
  },
});

/**
 * The frame of a page. When the page comes into view, the element that last had the focus gets it back. If there is
 * none, or if a focused element is removed from the page, the heading gets the focus, so that keyboard and screen
 * reader start there.
 */
export const Page = ({ title, subtitle, count, actions, layout = 'scroll', children }: PageProps) => {
  const styles = useStyles();
  const heading = useRef<HTMLHeadingElement>(null);
  const lastFocused = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const target = lastFocused.current?.isConnected ? lastFocused.current : heading.current;
    target?.focus({ preventScroll: true });
  }, []);
  const page = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = page.current;
    // The event is also fired before a focused element is removed, such as the button of a finished step. Then the
    // focus would be lost, so it moves to the heading.
    const onFocusOut = ({ target }: globalThis.FocusEvent): void =>
      queueMicrotask(() => {
        const isLost = document.activeElement === document.body && target instanceof Node && !target.isConnected;
        if (isLost) heading.current?.focus({ preventScroll: true });
      });
    element?.addEventListener('focusout', onFocusOut);
    return () => element?.removeEventListener('focusout', onFocusOut);
  }, []);
  const onFocus = ({ target, currentTarget }: FocusEvent<HTMLElement>): void => {
    // Events of dialogs bubble here through the React tree, but dialogs are not part of the page.
    if (currentTarget.contains(target)) lastFocused.current = target;
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only remembers where the focus was.
    <div ref={page} className={styles.page} onFocus={onFocus}>
      <header className={styles.header}>
        <div className={mergeClasses(styles.title, (subtitle ?? count) !== undefined && styles.subtitled)}>
          <h1 ref={heading} tabIndex={-1} className={styles.heading} title={title}>
            {title}
          </h1>
          {subtitle !== undefined && (
            <Text className={styles.subtitle} title={typeof subtitle === 'string' ? subtitle : undefined}>
              {subtitle}
            </Text>
          )}
          {count !== undefined && (
            <Text role="status" className={mergeClasses(styles.subtitle, styles.count)} title={count}>
              {count}
            </Text>
          )}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      <div className={styles[layout]}>{children}</div>
    </div>
  );
};

/** A part of a page with a `free` layout, where a table takes the remaining room. */
export const PageFill = ({ children }: { readonly children: ReactNode }) => (
  <div className={useStyles().fill}>{children}</div>
);

type BesideProps = {
  readonly label: string;
  readonly details: ReactNode;
  readonly children: ReactNode;
};

/** The main content of a page, with details to its right or, in a narrow window, below it. */
export const Beside = ({ label, details, children }: BesideProps) => {
  const styles = useStyles();
  return (
    <div className={styles.columns}>
      <div className={styles.main}>{children}</div>
      <section className={styles.details} aria-label={label}>
        {details}
      </section>
    </div>
  );
};

export type PartProps = { readonly title: string; readonly actions?: ReactNode; readonly children: ReactNode };

export const Part = ({ title, actions, children }: PartProps) => {
  const styles = useStyles();
  const id = useId();
  return (
    <section className={styles.part} aria-labelledby={id}>
      <div className={styles.partHeader}>
        <h2 id={id} tabIndex={-1} className={styles.partHeading}>
          {title}
        </h2>
        {actions !== undefined && <div className={styles.partActions}>{actions}</div>}
      </div>
      {children}
    </section>
  );
};

/** Buttons and short texts side by side, on several lines if necessary. */
export const Line = ({ className, ...rest }: ComponentProps<'div'>) => (
  <div className={mergeClasses(useStyles().line, className)} {...rest} />
);

/** A text in a subdued colour. */
export const Minor = ({ className, ...rest }: TextProps) => (
  <Text className={mergeClasses(useStyles().minor, className)} {...rest} />
);

type Fact = { readonly name: string; readonly value: ReactNode };

/** A grid of names and values. Each value is below its name or, in a container of the widths `beside`, next to it. */
export const Facts = ({ facts }: { readonly facts: readonly Fact[] }) => {
  const styles = useStyles();
  return (
    <div className={styles.room}>
      <dl className={styles.facts}>
        {facts.map(({ name, value }) => (
          <div key={name} className={styles.fact}>
            <dt className={styles.name}>{name}</dt>
            <dd className={styles.value}>{value === '' ? '–' : value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
};

/** A list of cards, one below the other. `children`: list items. */
export const StackList = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => {
  const styles = useStyles();
  return (
    <ul className={styles.cards} aria-label={label}>
      {children}
    </ul>
  );
};

type EmptyProps = {
  readonly title: string;
  readonly hint?: string | undefined;
  readonly action?: ReactNode;
};

export const Empty = ({ title, hint, action }: EmptyProps) => {
  const styles = useStyles();
  return (
    <div className={styles.empty}>
      <div className={styles.emptyText} role="status">
        <Text weight="semibold" align="center">
          {title}
        </Text>
        {hint !== undefined && (
          <Text align="center" className={styles.emptyHint}>
            {hint}
          </Text>
        )}
      </div>
      {action}
    </div>
  );
};

const lineNumbers = [1, 2, 3, 4, 5, 6];

/** Grey lines, at most six, in place of rows that are still loading. `label` says what is being loaded. */
export const Loading = ({ label, lines = lineNumbers.length }: { readonly label: string; readonly lines?: number }) => {
  const styles = useStyles();
  return (
    <div role="status" aria-label={label}>
      <Skeleton className={styles.skeleton} aria-hidden="true">
        {lineNumbers.slice(0, lines).map((line) => (
          <SkeletonItem key={line} size={16} />
        ))}
      </Skeleton>
    </div>
  );
};
