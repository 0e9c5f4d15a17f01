import { makeStyles, Text, tokens } from '@fluentui/react-components';
import { type FocusEvent, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { lines } from './lines.ts';

export type PageProps = {
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
    // In a low window the table keeps some rows, and the page scrolls.
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
  },
  // Where less is left of the line, the actions get one of their own.
  title: { flex: '1 1 200px', minWidth: 0 },
  heading: {
    // Texts of the service can be of any length.
    ...lines(3),
    margin: 0,
    fontSize: tokens.fontSizeBase600,
    lineHeight: tokens.lineHeightBase600,
    fontWeight: tokens.fontWeightSemibold,
    outline: 'none',
  },
  subtitle: {
    ...lines(3),
    // What is counted in it comes later; the page does not move then.
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
 * The frame of every page. When it comes into view the focus goes to where it was in it, at first to its heading,
 * so that the keyboard and a screen reader start where the eye does; and to its heading again when what has it is taken away.
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
    // What is taken away with the focus in it, such as the button of a step that is done, tells so before it goes.
    const onFocusOut = ({ target }: globalThis.FocusEvent): void =>
      queueMicrotask(() => {
        const isLost = document.activeElement === document.body && target instanceof Node && !target.isConnected;
        if (isLost) heading.current?.focus({ preventScroll: true });
      });
    element?.addEventListener('focusout', onFocusOut);
    return () => element?.removeEventListener('focusout', onFocusOut);
  }, []);
  const onFocus = ({ target, currentTarget }: FocusEvent<HTMLElement>): void => {
    // Dialogs bubble here through the React tree but are not part of the page.
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
          {subtitle !== undefined && <Text className={styles.subtitle}>{subtitle}</Text>}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
};
