import { Link, makeStyles, tokens } from '@fluentui/react-components';
import { memoize } from 'es-toolkit';
import { use, useState } from 'react';
import { OpenDoctor } from '../../domain/reach.tsx';
import { Empty, Page } from '../../ui/page.tsx';
import { goToSection, PageSections } from '../../ui/page-sections.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { spokenLocale, t } from '../../words/words.ts';

export const HelpPage = () => {
  const parts = use(loadGuide(spokenLocale()));
  const [text, setText] = useState('');
  const found = findParts(parts, text.trim());
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
        <PageSections
          label={t('help.contents')}
          sections={found.map(({ title, id, blocks }) => ({
            id,
            title,
            children: blocks.map((block) => <GuideBlock key={JSON.stringify(block)} block={block} />),
          }))}
        />
      )}
    </Page>
  );
};

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

type TextProps = { readonly text: readonly Inline[] };

const GuideText = ({ text }: TextProps) => {
  const styles = useGuideBlockStyles();
  // The guide does not change while the app runs, so positions are stable keys.
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
      <Link key={key} as="button" inline onClick={() => goToSection(id)}>
        {part.text}
      </Link>
    );
  });
};

type GuideBlockProps = { readonly block: Block };

const GuideBlock = ({ block }: GuideBlockProps) => {
  const styles = useGuideBlockStyles();
  if (block.kind === 'picture') {
    // The size of a picture is set before the picture is loaded, so that nothing moves afterwards.
    return <img className={styles.picture} src={block.path} alt={block.alt} width={1280} height={800} loading="lazy" />;
  }
  if (block.kind === 'paragraph') {
    return (
      <p className={styles.text}>
        <GuideText text={block.text} />
      </p>
    );
  }
  if (block.kind === 'list') {
    const List = block.ordered ? 'ol' : 'ul';
    return (
      <List className={styles.list}>
        {block.items.map((item) => (
          <li key={item.map(({ text }) => text).join('')}>
            <GuideText text={item} />
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
                <GuideText text={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
};

// Parses the Markdown of the user guide: headings, paragraphs, lists, tables and pictures, with bold text, code and
// links to headings.

type Inline =
  | { readonly kind: 'text' | 'strong' | 'code'; readonly text: string }
  /** `id`: the id of the heading that the link leads to; undefined for a link out of the guide. */
  | { readonly kind: 'link'; readonly text: string; readonly id: string | undefined };

type Block =
  | { readonly kind: 'paragraph'; readonly text: readonly Inline[] }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly (readonly Inline[])[] }
  | {
      readonly kind: 'table';
      readonly header: readonly string[];
      readonly rows: readonly (readonly (readonly Inline[])[])[];
    }
  /** `path`: the path below the folder of all pictures, such as `en/overview.png`. */
  | { readonly kind: 'picture'; readonly path: string; readonly alt: string };

type GuidePart = {
  readonly title: string;
  readonly id: string;
  readonly blocks: readonly Block[];
  readonly text: string;
};

/** Returns the id of a heading. Links to the heading contain the same id. */
const idOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replace(/\s+/g, '-');

const marks = /\*\*(?<strong>[^*]+)\*\*|`(?<code>[^`]+)`|\[(?<link>[^\]]+)\]\((?<to>[^)]*)\)/g;

const readInline = (line: string): readonly Inline[] => {
  const parts: Inline[] = [];
  let end = 0;
  const plain = (to: number): void => {
    if (to > end) parts.push({ kind: 'text', text: line.slice(end, to) });
  };
  for (const match of line.matchAll(marks)) {
    const { strong, code, link, to = '' } = match.groups ?? {};
    plain(match.index);
    if (strong !== undefined) parts.push({ kind: 'strong', text: strong });
    else if (code !== undefined) parts.push({ kind: 'code', text: code });
    else if (link !== undefined)
      parts.push({ kind: 'link', text: link, id: to.startsWith('#') ? to.slice(1) : undefined });
    end = match.index + match[0].length;
  }
  plain(line.length);
  return parts;
};

const itemMark = /^(?:-|\d+\.) +/;

const cellsOf = (line: string): readonly string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

const picture = /^!\[(?<alt>[^\]]*)\]\(images\/(?<path>[\w/.-]+)\)$/;

const readBlock = (lines: readonly string[]): Block => {
  const [first = '', , ...rows] = lines;
  const { path, alt = '' } = picture.exec(first)?.groups ?? {};
  if (path !== undefined) return { kind: 'picture', path, alt };
  if (first.startsWith('|')) {
    return { kind: 'table', header: cellsOf(first), rows: rows.map((row) => cellsOf(row).map(readInline)) };
  }
  if (!itemMark.test(first)) return { kind: 'paragraph', text: readInline(lines.join(' ')) };
  const items = lines
    .join('\n')
    .split(/\n(?=(?:-|\d+\.) )/)
    .map((item) => item.replace(itemMark, '').replace(/\n\s*/g, ' '));
  return { kind: 'list', ordered: /^\d/.test(first), items: items.map(readInline) };
};

const readPart = (markdown: string): GuidePart => {
  const [title = '', ...lines] = markdown.split('\n');
  const blocks = lines
    .join('\n')
    .split(/\n\s*\n/)
    .map((block) => block.split('\n').filter((line) => line.trim() !== ''))
    .filter((block) => block.length > 0)
    .map(readBlock);
  return { title: title.trim(), id: idOf(title), blocks, text: markdown.toLowerCase() };
};

/** Parses the guide into its parts under second-level headings. Text before the first such heading is left out. */
export const readGuide = (markdown: string): readonly GuidePart[] =>
  markdown.replaceAll('\r\n', '\n').split(/^## /m).slice(1).map(readPart);

export const findParts = (parts: readonly GuidePart[], text: string): readonly GuidePart[] => {
  const words = text.toLowerCase().split(/\s+/);
  return parts.filter((part) => words.every((word) => part.text.includes(word)));
};
