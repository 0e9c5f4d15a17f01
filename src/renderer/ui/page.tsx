import { makeStyles, Text, tokens } from '@fluentui/react-components';
import { type FocusEvent, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { lines } from './lines.ts';

type PageProps = {
  readonly title: string;
  readonly subtitle?: ReactNode;
  /** Buttons and filters beside the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
};

const useStyles = makeStyles({
  page: {
    display: 'flex',
    flexDirection: 'column',
    height: '100%',
    minHeight: 0,
    // In a low window the table keeps a few rows and the page scrolls.
    overflowY: 'auto',
    '@media print': { height: 'auto', overflow: 'visible' },
  },
  header: {
    display: 'flex',
    flexWrap: 'wrap',
    flexShrink: 0,
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalL}`,
    padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalXXL} ${tokens.spacingVerticalM}`,
    '@media (max-width: 479px)': { paddingInline: tokens.spacingHorizontalM },
  },
  // The actions wrap onto a line of their own rather than leave it less than this, or than its longest word.
  title: {
    flex: '1 1 min-content',
    minWidth: 0,
    maxWidth: '100%',
    '::before': { content: '""', display: 'block', width: '200px' },
  },
  heading: {
    // Texts from the service can be of any length.
    ...lines(3),
    margin: 0,
    fontSize: tokens.fontSizeBase600,
    lineHeight: tokens.lineHeightBase600,
    fontWeight: tokens.fontWeightSemibold,
    outline: 'none',
    overflowWrap: 'break-word',
    '@media (max-width: 479px)': { fontSize: tokens.fontSizeBase500, lineHeight: tokens.lineHeightBase500 },
  },
  subtitle: {
    ...lines(3),
    // Counts appear here later: the page must not move then.
    minHeight: tokens.lineHeightBase300,
    color: tokens.colorNeutralForeground3,
  },
  actions: {
    display: 'flex',
    flexWrap: 'wrap',
    maxWidth: '100%',
    alignItems: 'center',
    gap: tokens.spacingHorizontalS,
    '@media print': { display: 'none' },
  },
});

/**
 * The frame of every page. When the page comes into view, the focus returns to where it was, at first to the heading, so
 * that keyboard and screen reader start where the eye does. When the focused element is removed, the heading gets the focus.
 */
export const Page = ({ title, subtitle, actions, children }: PageProps) => {
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
    // An element that is removed while it has the focus, such as the button of a finished step, fires this first.
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
        <div className={styles.title}>
          <h1 ref={heading} tabIndex={-1} className={styles.heading} title={title}>
            {title}
          </h1>
          {subtitle !== undefined && (
            <Text className={styles.subtitle} title={typeof subtitle === 'string' ? subtitle : undefined}>
              {subtitle}
            </Text>
          )}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
};
