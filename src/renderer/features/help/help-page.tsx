import { Link, makeStyles, tokens } from '@fluentui/react-components';
import { memoize } from 'es-toolkit';
import { use, useRef, useState } from 'react';
import { OpenDoctor } from '../../domain/reach.tsx';
import { Empty, Page, PageBody } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { bareList } from '../../ui/styles.ts';
import { spokenLocale, t } from '../../words/words.ts';
import { type Block, findParts, type GuidePart, type Inline, readGuide } from './guide.ts';

const useStyles = makeStyles({
  contents: {
    display: 'flex',
    flexWrap: 'wrap',
    gap: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalL}`,
    ...bareList,
  },
  part: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalM, maxWidth: '720px' },
  heading: {
    margin: 0,
    fontSize: tokens.fontSizeBase500,
    lineHeight: tokens.lineHeightBase500,
    fontWeight: tokens.fontWeightSemibold,
    outline: 'none',
  },
});

/** The user guide, which is part of the app, in its language. */
export const HelpPage = () => {
  const styles = useStyles();
  const parts = use(loadGuide(spokenLocale()));
  const [text, setText] = useState('');
  const body = useRef<HTMLDivElement>(null);
  const found = findParts(parts, text.trim());
  const go = (id: string): void => {
    const heading = body.current?.querySelector<HTMLElement>(`[data-part="${id}"]`);
    heading?.scrollIntoView({ block: 'start' });
    heading?.focus({ preventScroll: true });
  };
  return (
    <Page
      title={t('shell.help')}
      subtitle={<span role="status">{text.trim() !== '' && t('help.found', { count: found.length })}</span>}
      actions={
        <>
          <OpenDoctor />
          <SearchField label={t('help.search')} value={text} onChange={setText} />
        </>
      }
    >
      <PageBody>
        {found.length === 0 && <Empty title={t('help.noMatch', { text: text.trim() })} />}
        <nav aria-label={t('help.contents')}>
          <ul className={styles.contents}>
            {found.map(({ title, id }) => (
              <li key={id}>
                <Link as="button" onClick={() => go(id)}>
                  {title}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div ref={body} style={{ display: 'contents' }}>
          {found.map(({ title, id, blocks }) => (
            <section key={id} className={styles.part} aria-label={title}>
              <h2 tabIndex={-1} data-part={id} className={styles.heading}>
                {title}
              </h2>
              {blocks.map((block) => (
                <GuideBlock key={JSON.stringify(block)} block={block} onGo={go} />
              ))}
            </section>
          ))}
        </div>
      </PageBody>
    </Page>
  );
};

type LoadText = () => Promise<{ readonly default: string }>;

const english: LoadText = () => import('../../../../docs/user-guide.md?raw');
const translated: Readonly<Record<string, LoadText>> = {
  sv: () => import('../../../../docs/user-guide.sv.md?raw'),
  de: () => import('../../../../docs/user-guide.de.md?raw'),
};

/** The user guide in the language `locale`, or in English if it is not translated. Each is loaded once. */
export const loadGuide = memoize(async (locale: string): Promise<readonly GuidePart[]> => {
  const load = translated[locale] ?? english;
  return readGuide((await load()).default);
});

const useGuideBlockStyles = makeStyles({
  text: { margin: 0, lineHeight: tokens.lineHeightBase400 },
  list: { margin: 0, paddingInlineStart: tokens.spacingHorizontalXXL, lineHeight: tokens.lineHeightBase400 },
  table: { borderCollapse: 'collapse', width: '100%' },
  heading: {
    padding: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalM} ${tokens.spacingVerticalXS} 0`,
    borderBottom: `1px solid ${tokens.colorNeutralStroke1}`,
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    textAlign: 'start',
  },
  cell: {
    padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalM} ${tokens.spacingVerticalS} 0`,
    borderBottom: `1px solid ${tokens.colorNeutralStroke3}`,
    verticalAlign: 'top',
    lineHeight: tokens.lineHeightBase400,
  },
  code: { fontFamily: tokens.fontFamilyMonospace, fontSize: tokens.fontSizeBase200 },
});

type TextProps = { readonly text: readonly Inline[]; readonly onGo: (id: string) => void };

const GuideText = ({ text, onGo }: TextProps) => {
  const styles = useGuideBlockStyles();
  // The guide never changes, so positions are stable keys.
  return text.map((part, position) => {
    const key = `${position} ${part.text}`;
    if (part.kind === 'strong') return <strong key={key}>{part.text}</strong>;
    if (part.kind === 'code') {
      return (
        <code key={key} className={styles.code}>
          {part.text}
        </code>
      );
    }
    const { id } = part.kind === 'link' ? part : { id: undefined };
    return id === undefined ? (
      part.text
    ) : (
      <Link key={key} as="button" inline onClick={() => onGo(id)}>
        {part.text}
      </Link>
    );
  });
};

type GuideBlockProps = { readonly block: Block; readonly onGo: (id: string) => void };

/** A paragraph, a list or a table of the guide. */
const GuideBlock = ({ block, onGo }: GuideBlockProps) => {
  const styles = useGuideBlockStyles();
  if (block.kind === 'paragraph') {
    return (
      <p className={styles.text}>
        <GuideText text={block.text} onGo={onGo} />
      </p>
    );
  }
  if (block.kind === 'list') {
    const List = block.ordered ? 'ol' : 'ul';
    return (
      <List className={styles.list}>
        {block.items.map((item) => (
          <li key={item.map(({ text }) => text).join('')}>
            <GuideText text={item} onGo={onGo} />
          </li>
        ))}
      </List>
    );
  }
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          {block.header.map((name) => (
            <th key={name} scope="col" className={styles.heading}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {block.rows.map((row) => (
          <tr
            key={row
              .flat()
              .map(({ text }) => text)
              .join(' ')}
          >
            {row.map((cell, column) => (
              <td key={block.header[column]} className={styles.cell}>
                <GuideText text={cell} onGo={onGo} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
};
