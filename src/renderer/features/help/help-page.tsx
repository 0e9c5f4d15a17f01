import { Link, makeStyles, tokens } from '@fluentui/react-components';
import { memoize } from 'es-toolkit';
import { createContext, use, useState } from 'react';
import { flushSync } from 'react-dom';
import { plainWords, searchable } from '../../../contract/search.ts';
import { OpenDoctor } from '../../domain/reach.tsx';
import { Empty, Page } from '../../ui/page.tsx';
import { goToSection, PageSections } from '../../ui/page-sections.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { spokenLocale, t } from '../../words/words.ts';

export const HelpPage = () => {
  const parts = use(loadGuide(spokenLocale()));
  const [text, setText] = useState('');
  const found = findParts(parts, text.trim());
  const go = (id: string): void => {
    // The search may hide the section.
    flushSync(() => setText(''));
    goToSection(id);
  };
  return (
    <Page
      title={t('shell.help')}
      count={text.trim() === '' ? '' : t('help.found', { count: found.length })}
      actions={
        <>
          <OpenDoctor />
          <SearchField label={t('help.search')} value={text} onChange={setText} />
        </>
      }
    >
      {found.length === 0 ? (
        <Empty title={t('help.noMatch', { text: text.trim() })} />
      ) : (
        <FollowLink value={go}>
          <PageSections
            label={t('help.contents')}
            sections={found.map(({ title, id, blocks }) => ({
              id,
              title,
              children: blocks.map((lines) => <GuideBlock key={lines.join('\n')} lines={lines} />),
            }))}
          />
        </FollowLink>
      )}
    </Page>
  );
};

/** What a link in the guide calls with the id of the section that it leads to. */
const FollowLink = createContext(goToSection);

type LoadText = () => Promise<{ readonly default: string }>;

const english: LoadText = () => import('../../../../docs/user-guide.md?raw');
const translated: Readonly<Record<string, LoadText>> = {
  sv: () => import('../../../../docs/user-guide.sv.md?raw'),
  de: () => import('../../../../docs/user-guide.de.md?raw'),
};

/**
 * Loads the user guide in the language `locale`, or in English if it is not translated. Each language is loaded once.
 */
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
  picture: {
    maxWidth: '100%',
    height: 'auto',
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusMedium,
  },
});

// Renders the Markdown of the user guide: headings, paragraphs, lists, tables and pictures, with bold text, code and
// links to headings. The guide does not change while the app runs, so positions are stable keys.

const mark = /(\*\*[^*]+\*\*|`[^`]+`|\[[^\]]+\]\([^)]*\))/;
const link = /^\[(?<text>[^\]]+)\]\((?:#(?<id>.*)|.*)\)$/;

const GuideText = ({ text }: { readonly text: string }) => {
  const styles = useGuideBlockStyles();
  const follow = use(FollowLink);
  return text.split(mark).map((part, position) => {
    const key = `${position} ${part}`;
    if (position % 2 === 0) return part;
    if (part.startsWith('**')) return <strong key={key}>{part.slice(2, -2)}</strong>;
    if (part.startsWith('`'))
      return (
        <code key={key} className={styles.code}>
          {part.slice(1, -1)}
        </code>
      );
    const { text, id } = link.exec(part)?.groups ?? {};
    // A link that leads out of the guide is shown as text only.
    return id === undefined ? (
      text
    ) : (
      <Link key={key} as="button" inline onClick={() => follow(id)}>
        {text}
      </Link>
    );
  });
};

const picture = /^!\[(?<alt>[^\]]*)\]\(images\/(?<path>[\w/.-]+)\)$/;
const itemMark = /^(?:-|\d+\.) +/;

/** Renders a block of the guide: the `lines` between two empty ones. */
export const GuideBlock = ({ lines }: { readonly lines: readonly string[] }) => {
  const styles = useGuideBlockStyles();
  const [first = ''] = lines;
  const { path, alt } = picture.exec(first)?.groups ?? {};
  if (path !== undefined) {
    // The size of a picture is set before the picture is loaded, so that nothing moves afterwards.
    return <img className={styles.picture} src={path} alt={alt} width={1280} height={800} loading="lazy" />;
  }
  if (first.startsWith('|')) return <GuideTable lines={lines} />;
  if (!itemMark.test(first)) {
    return (
      <p className={styles.text}>
        <GuideText text={lines.join(' ')} />
      </p>
    );
  }
  const List = /^\d/.test(first) ? 'ol' : 'ul';
  const items = lines.join('\n').split(/\n(?=(?:-|\d+\.) )/);
  return (
    <List className={styles.list}>
      {items.map((item) => (
        <li key={item}>
          <GuideText text={item.replace(itemMark, '').replace(/\n\s*/g, ' ')} />
        </li>
      ))}
    </List>
  );
};

const cellsOf = (line: string): readonly string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

const GuideTable = ({ lines: [header = '', , ...rows] }: { readonly lines: readonly string[] }) => {
  const styles = useGuideBlockStyles();
  const names = cellsOf(header);
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          {names.map((name) => (
            <th key={name} scope="col" className={styles.heading}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row}>
            {cellsOf(row).map((cell, column) => (
              <td key={names[column]} className={styles.cell}>
                <GuideText text={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
};

type GuidePart = {
  readonly title: string;
  readonly id: string;
  /** The lines of each block. */
  readonly blocks: readonly (readonly string[])[];
  readonly text: string;
};

/** Returns the id of a heading. Links to the heading contain the same id. */
const idOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replace(/\s+/g, '-');

const readPart = (markdown: string): GuidePart => {
  const [title = '', ...lines] = markdown.split('\n');
  const blocks = lines
    .join('\n')
    .split(/\n\s*\n/)
    .map((block) => block.split('\n').filter((line) => line.trim() !== ''))
    .filter((block) => block.length > 0);
  return { title: title.trim(), id: idOf(title), blocks, text: searchable(markdown) };
};

/** Parses the guide into its parts under second-level headings. Text before the first such heading is left out. */
const readGuide = (markdown: string): readonly GuidePart[] =>
  markdown.replaceAll('\r\n', '\n').split(/^## /m).slice(1).map(readPart);

export const findParts = (parts: readonly GuidePart[], text: string): readonly GuidePart[] => {
  const words = plainWords(text);
  return parts.filter((part) => words.every((word) => part.text.includes(word)));
};
