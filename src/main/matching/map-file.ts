/** A file that says which folder goes to which assignment. It wins over everything that names suggest. */

import Papa, { type ParseResult, type Parser } from 'papaparse';
import { visibleText } from '../../contract/text.ts';
import { addTo } from './names.ts';

/** What is wrong with a line; `line` counts from 1, as editors do. */
export type MapProblem = {
  readonly line: number;
  readonly kind:
    | 'columns'
    | 'quote'
    | 'cell-long'
    | 'lines-many'
    | 'patterns-much'
    | 'assignment-unknown'
    | 'path-outside'
    | 'path-unmatched'
    | 'folder-twice';
  /** The words of the file that are meant, cut after some 200 characters. */
  readonly text: string;
};

/** Longer than any path. A quotation mark that nobody closed makes one cell of the rest of the file. */
const MOST_CELL_CHARACTERS = 4_096;

const MOST_LINES = 100_000;

/** As many as somebody may want to correct. */
const MOST_PROBLEMS = 1_000;

/** Some seconds. 5,000 patterns for 2,000 folders with 100,000 files need a tenth of it where they have a folder's name in them. */
const MOST_WORK = 200_000_000;

/** Size of the chunks that the parser gets: longer than any valid line. */
const CHUNK_CHARACTERS = 256 * 1024;

const MOST_SHOWN_CHARACTERS = 200;

const shortened = (text: string): string =>
  text.length > MOST_SHOWN_CHARACTERS ? `${text.slice(0, MOST_SHOWN_CHARACTERS)}…` : text;

/** The assignment for each path of the tree that the file names, or the lines that are wrong (at most some thousand). */
type MapFile =
  | { readonly ok: true; readonly assignments: ReadonlyMap<string, string> }
  | { readonly ok: false; readonly problems: readonly MapProblem[] };

type MapContext = {
  /** Folders (and loose files) below the chosen folder, with `/`; the chosen one itself is `.`. */
  readonly paths: Iterable<string>;
  readonly isKnown: (AssignmentId: string) => boolean;
};

const PATH_COLUMNS = ['path', 'folder'];
const ID_COLUMNS = ['assignment', 'assignmentid'];

type Line = { readonly line: number; readonly path: string; readonly id: string };

/** `path` with `/`, composed, without `./` at the start or `/` at the end; undefined if it leaves the chosen folder. */
const insidePath = (path: string): string | undefined => {
  const slashed = path.replaceAll('\\', '/');
  if (/^(\/|[a-z]:)/i.test(slashed)) return undefined;
  const names = slashed.split('/').filter((name) => name !== '' && name !== '.');
  if (names.includes('..')) return undefined;
  return names.length === 0 ? '.' : names.join('/');
};

/** The separator of `text`: the most frequent one in its first line. */
const separatorOf = (text: string): string => {
  const [head = ''] = text.slice(0, CHUNK_CHARACTERS).split('\n', 1);
  const count = (separator: string): number => head.split(separator).length;
  return [',', ';', '\t'].reduce((best, separator) => (count(separator) > count(best) ? separator : best));
};

type Row = { readonly line: number; readonly cells: readonly string[] };

/**
 * Gives each row of a CSV to `onRow`, chunk by chunk, without empty ones; a quoted cell may go on over several lines. Ends with
 * a problem, or where `onRow` says `false`.
 */
const eachRow = (text: string, onRow: (row: Row) => boolean): MapProblem | undefined => {
  const lines = text.replaceAll(/\r\n?/g, '\n');
  let problem: MapProblem | undefined;
  let line = 1;
  let end = 0;
  Papa.parse<string[]>(lines, {
    delimiter: separatorOf(lines),
    newline: '\n',
    chunkSize: CHUNK_CHARACTERS,
    chunk: ({ data, errors, meta }: ParseResult<readonly string[]>, parser: Parser) => {
      const misquoted = new Set(errors.filter(({ type }) => type === 'Quotes').map(({ row = 0 }) => row));
      for (const [index, raw] of data.entries()) {
        const cells = raw.map((cell) => cell.trim());
        const isEmpty = cells.every((cell) => cell === '');
        const words = cells.join(', ');
        if (misquoted.has(index)) problem = { line, kind: 'quote', text: words };
        else if (cells.some((cell) => cell.length > MOST_CELL_CHARACTERS))
          problem = { line, kind: 'cell-long', text: words };
        else if (line > MOST_LINES) problem = { line, kind: 'lines-many', text: String(MOST_LINES) };
        if (problem || (!isEmpty && !onRow({ line, cells }))) return parser.abort();
        line += raw.reduce((breaks, cell) => breaks + cell.split('\n').length - 1, 1);
      }
      // A whole chunk, and its row has no end yet.
      if (meta.cursor === end && lines.length > end + CHUNK_CHARACTERS) {
        problem = { line, kind: 'cell-long', text: lines.slice(end, end + MOST_CELL_CHARACTERS) };
        return parser.abort();
      }
      end = meta.cursor;
    },
    // Papaparse wants one wherever it reads by chunks.
    complete: () => {},
  });
  return problem;
};

/**
 * Reads a map file: a header with `path` (or `folder`) and `assignment` (or `AssignmentId`), separated by `,`, `;` or TAB,
 * then a line for each folder, or for all that match a pattern with `*`, `**` or `?`. A line that names a folder as it is
 * wins over a pattern; two lines of one kind for one folder with different assignments are a mistake, and so is one that
 * names a folder twice.
 */
export const parseMapFile = (text: string, { paths, isKnown }: MapContext): MapFile => {
  const problems: MapProblem[] = [];
  const lines: Line[] = [];
  let names: readonly string[] = [];
  let pathAt = -1;
  let idAt = -1;
  const ended = eachRow(text, ({ line, cells }) => {
    if (names.length === 0) {
      names = cells.map((cell) => cell.toLowerCase());
      pathAt = names.findIndex((name) => PATH_COLUMNS.includes(name));
      idAt = names.findIndex((name) => ID_COLUMNS.includes(name));
      if (pathAt < 0 || idAt < 0) problems.push({ line, kind: 'columns', text: cells.join(', ') });
      return problems.length === 0;
    }
    const given = cells[pathAt] ?? '';
    const id = (cells[idAt] ?? '').toLowerCase();
    const path = insidePath(given);
    if (given === '' || id === '' || cells.length > names.length)
      problems.push({ line, kind: 'columns', text: cells.join(', ') });
    else if (!isKnown(id)) problems.push({ line, kind: 'assignment-unknown', text: id });
    else if (path === undefined) problems.push({ line, kind: 'path-outside', text: given });
    else lines.push({ line, path, id });
    return problems.length < MOST_PROBLEMS;
  });
  if (ended) problems.push(ended);
  else if (names.length === 0) problems.push({ line: 1, kind: 'columns', text: '' });
  const { assignments, problems: conflicts } = resolve(lines, [...paths]);
  const all = [...problems, ...conflicts]
    .sort((one, other) => one.line - other.line)
    .map((problem) => ({ ...problem, text: shortened(visibleText(problem.text)) }));
  return all.length > 0 ? { ok: false, problems: all } : { ok: true, assignments };
};

const resolve = (
  lines: readonly Line[],
  paths: readonly string[],
): { readonly assignments: ReadonlyMap<string, string>; readonly problems: readonly MapProblem[] } => {
  // Names that differ only in case or in their normal form can lie beside each other; then each is meant as it is written.
  const byKey = new Map([
    ...paths.map((path) => [keyOf(path), path] as const),
    ...paths.map((path) => [path, path] as const),
  ]);
  const problems: MapProblem[] = [];
  const work: Work = { left: MOST_WORK };
  let matching: ReturnType<typeof pathFinder> | undefined;
  const findBy = (pattern: string): readonly string[] | undefined => {
    // A name with a star in it may be a folder's own; that has been looked for before.
    if (!isGlob(pattern)) return [];
    matching ??= pathFinder(paths, keyOf, work);
    return matching(pattern);
  };
  const said = new Map<string, { readonly id: string; readonly isExact: boolean }>();
  const exactFirst = lines
    .map((line) => ({ ...line, exact: byKey.get(line.path) ?? byKey.get(keyOf(line.path)) }))
    .sort((one, other) => Number(other.exact !== undefined) - Number(one.exact !== undefined));
  for (const { line, path, id, exact } of exactFirst) {
    const found = exact === undefined ? findBy(path) : [exact];
    if (found === undefined) {
      problems.push({ line, kind: 'patterns-much', text: path });
      break;
    }
    if (found.length === 0) problems.push({ line, kind: 'path-unmatched', text: path });
    const isExact = exact !== undefined;
    const isOther = (one: string): boolean => {
      const before = said.get(one);
      return before?.isExact === isExact && (isExact || before.id !== id);
    };
    const isTwice = found.some(isOther);
    for (const one of found) if (!said.has(one)) said.set(one, { id, isExact });
    if (isTwice) problems.push({ line, kind: 'folder-twice', text: path });
    if (problems.length >= MOST_PROBLEMS) break;
  }
  return { assignments: new Map([...said].map(([path, { id }]) => [path, id])), problems };
};

const keyOf = (path: string): string => path.normalize('NFC').toLowerCase();

/*
 * Patterns: `*` stands for anything within a name, `**` for any folders, `?` for one character, and all else for itself: names of
 * folders have brackets, braces and exclamation marks, which libraries of glob patterns read as more of a pattern. And they compile
 * expressions whose time grows exponentially with the stars; here it has a bound.
 */

/** Whether `pattern` has a character that stands for others. */
export const isGlob = (pattern: string): boolean => /[*?]/.test(pattern);

/** How much may still be done: about one for each character or name that is looked at. */
export type Work = { left: number };

/** A folder or file by its name. */
type Node = { readonly below: Map<string, Node>; readonly paths: number[] };

/**
 * The paths that a pattern matches, in their order; undefined once there is no work left. Each part of a pattern is looked up or
 * tested against the names at its place alone, and behind `**` at the start against each name once, however many folders have
 * it. `keyOf`: brings path and pattern to the same case and normal form.
 */
export const pathFinder = (paths: readonly string[], keyOf: (path: string) => string, work: Work) => {
  const root: Node = { below: new Map(), paths: [] };
  const named = new Map<string, Node[]>();
  for (const [index, path] of paths.entries()) {
    let node = root;
    for (const name of keyOf(path).split('/')) {
      let next = node.below.get(name);
      if (next === undefined) {
        next = { below: new Map(), paths: [] };
        node.below.set(name, next);
        addTo(named, name, next);
      }
      node = next;
    }
    node.paths.push(index);
  }
  return (pattern: string): readonly string[] | undefined => {
    const [first = '', ...rest] = partsOf(keyOf(pattern));
    let found = new Set([root]);
    if (first !== '**') rest.unshift(first);
    else found = new Set(namesLike(rest.shift() ?? '', named, work).flat());
    for (const part of rest) {
      if (work.left < 0) return undefined;
      found =
        part === '**'
          ? withAllBelow(found, work)
          : new Set([...found].flatMap(({ below }) => namesLike(part, below, work)));
    }
    if (work.left < 0) return undefined;
    const indices = [...found].flatMap((node) => node.paths).sort((one, other) => one - other);
    work.left -= indices.length;
    return indices.map((index) => paths[index] ?? '');
  };
};

/** At the end `**` stands for at least one name; twice in a row it says the same. */
const partsOf = (pattern: string): readonly string[] => {
  const parts = pattern.split('/').filter((part, at, all) => part !== '**' || all[at - 1] !== '**');
  return parts.at(-1) === '**' ? [...parts, '*'] : parts;
};

const withAllBelow = (nodes: ReadonlySet<Node>, work: Work): Set<Node> => {
  const all = new Set(nodes);
  // A set is walked over to what is added meanwhile.
  for (const node of all) {
    for (const inner of node.below.values()) all.add(inner);
    work.left -= 4 + 4 * node.below.size;
    if (work.left < 0) break;
  }
  return all;
};

/** What stands in `names` under names that `part` of a pattern matches. */
const namesLike = <T>(part: string, names: ReadonlyMap<string, T>, work: Work): T[] => {
  work.left -= 4;
  if (work.left < 0) return [];
  if (!isGlob(part)) {
    const one = names.get(part);
    return one === undefined ? [] : [one];
  }
  const matches = nameTest(part, work);
  const found: T[] = [];
  for (const [name, value] of names) if (matches(name)) found.push(value);
  return found;
};

/** The characters of `text`: the text itself unless it contains surrogate pairs. */
const charactersOf = (text: string): ArrayLike<string> => (/[\ud800-\udfff]/.test(text) ? [...text] : text);

/**
 * Tests names against one part of a pattern. After a mismatch only the last star is tried again, with one character more, so
 * the time grows with the product of both lengths at most.
 */
const nameTest = (part: string, work: Work): ((name: string) => boolean) => {
  const pattern = charactersOf(part.replace(/\*+/g, '*'));
  return (name) => {
    const text = charactersOf(name);
    let lastStar = -1;
    let taken = 0;
    let at = 0;
    for (let from = 0; from < text.length; ) {
      work.left -= 1;
      if (work.left < 0) return false;
      const wanted = pattern[at];
      if (wanted === '*') {
        lastStar = at;
        taken = from;
        at += 1;
      } else if (wanted !== undefined && (wanted === '?' || wanted === text[from])) {
        at += 1;
        from += 1;
      } else if (lastStar >= 0) {
        at = lastStar + 1;
        taken += 1;
        from = taken;
      } else return false;
    }
    while (pattern[at] === '*') at += 1;
    return at === pattern.length;
  };
};
