/**
 * Parses the Markdown of the user guide: headings, paragraphs, lists, tables and pictures, with bold text, code and links to
 * headings.
 */

export type Inline =
  | { readonly kind: 'text' | 'strong' | 'code'; readonly text: string }
  /** The id of the heading it links to; undefined for a link out of the guide. */
  | { readonly kind: 'link'; readonly text: string; readonly id: string | undefined };

export type Block =
  | { readonly kind: 'paragraph'; readonly text: readonly Inline[] }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly (readonly Inline[])[] }
  | {
      readonly kind: 'table';
      readonly header: readonly string[];
      readonly rows: readonly (readonly (readonly Inline[])[])[];
    }
  /** `path`: below the folder of all pictures, such as `en/overview.png`. */
  | { readonly kind: 'picture'; readonly path: string; readonly alt: string };

/** A part of the guide under its heading. `text`: its whole text in lower case, for the search. */
export type GuidePart = {
  readonly title: string;
  readonly id: string;
  readonly blocks: readonly Block[];
  readonly text: string;
};

/** The id in a link to the heading `title`. */
const idOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replace(/\s+/g, '-');

const marks = /\*\*(?<strong>[^*]+)\*\*|`(?<code>[^`]+)`|\[(?<link>[^\]]+)\]\((?<to>[^)]*)\)/g;

/** Parses bold text, code and links in a line. */
export const readInline = (line: string): readonly Inline[] => {
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

/** Parses the lines of one block. */
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

/** The parts of the guide under its second-level headings; what precedes the first is left out. */
export const readGuide = (markdown: string): readonly GuidePart[] =>
  markdown.replaceAll('\r\n', '\n').split(/^## /m).slice(1).map(readPart);

/** The parts that contain each word of `text`. */
export const findParts = (parts: readonly GuidePart[], text: string): readonly GuidePart[] => {
  const words = text.toLowerCase().split(/\s+/);
  return parts.filter((part) => words.every((word) => part.text.includes(word)));
};
