/** A file that says which folder goes to which assignment. It wins over everything that names suggest. */
import { csvLines } from './csv-rows.ts';
import { globTest, isGlob } from './glob.ts';

/** What is wrong with a line; `line` counts from 1, as editors do. */
export type MapProblem = {
  readonly line: number;
  readonly kind: 'columns' | 'assignment-unknown' | 'path-outside' | 'path-unmatched' | 'folder-twice';
  /** The words of the file that are meant, cut after some 200 characters. */
  readonly text: string;
};

/** A quote that nobody closed makes one cell of the rest of the file. */
const MOST_CHARACTERS = 200;

const shortened = (text: string): string =>
  text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;

/** The assignment for each path of the tree that the file names, or every line that is wrong. */
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

/**
 * Reads a map file: a header with `path` (or `folder`) and `assignment` (or `AssignmentId`), separated by `,`, `;` or TAB,
 * then a line for each folder, or for all that match a pattern with `*`, `**` or `?`. A line that names a folder as it is
 * wins over a pattern; two lines of one kind for one folder with different assignments are a mistake, and so is one that
 * names a folder twice.
 */
export const parseMapFile = (text: string, { paths, isKnown }: MapContext): MapFile => {
  const [head, ...rows] = csvLines(text);
  const names = head?.cells.map((cell) => cell.toLowerCase()) ?? [];
  const pathAt = names.findIndex((name) => PATH_COLUMNS.includes(name));
  const idAt = names.findIndex((name) => ID_COLUMNS.includes(name));
  if (pathAt < 0 || idAt < 0)
    return {
      ok: false,
      problems: [{ line: head?.line ?? 1, kind: 'columns', text: shortened(head?.cells.join(', ') ?? '') }],
    };
  const problems: MapProblem[] = [];
  const lines: Line[] = [];
  for (const { line, cells } of rows) {
    const given = cells[pathAt] ?? '';
    const id = (cells[idAt] ?? '').toLowerCase();
    const path = insidePath(given);
    if (given === '' || id === '' || cells.length > names.length)
      problems.push({ line, kind: 'columns', text: cells.join(', ') });
    else if (!isKnown(id)) problems.push({ line, kind: 'assignment-unknown', text: id });
    else if (path === undefined) problems.push({ line, kind: 'path-outside', text: given });
    else lines.push({ line, path, id });
  }
  const { assignments, problems: conflicts } = resolve(lines, [...paths]);
  const all = [...problems, ...conflicts]
    .sort((one, other) => one.line - other.line)
    .map((problem) => ({ ...problem, text: shortened(problem.text) }));
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
  const matching = finder(paths);
  const said = new Map<string, { readonly id: string; readonly isExact: boolean }>();
  const exactFirst = lines
    .map((line) => ({ ...line, exact: byKey.get(line.path) ?? byKey.get(keyOf(line.path)) }))
    .sort((one, other) => Number(other.exact !== undefined) - Number(one.exact !== undefined));
  for (const { line, path, id, exact } of exactFirst) {
    const found = exact === undefined ? matching(path) : [exact];
    if (found.length === 0) problems.push({ line, kind: 'path-unmatched', text: path });
    let isTwice = false;
    for (const one of found) {
      const before = said.get(one);
      const isExact = exact !== undefined;
      if (before === undefined) said.set(one, { id, isExact });
      else if (before.isExact === isExact && (isExact || before.id !== id)) isTwice = true;
    }
    if (isTwice) problems.push({ line, kind: 'folder-twice', text: path });
  }
  return { assignments: new Map([...said].map(([path, { id }]) => [path, id])), problems };
};

const keyOf = (path: string): string => path.normalize('NFC').toLowerCase();

/** Finds the paths that match a pattern. A name with a `*` in it may be a folder's own; that has been looked for before. */
const finder = (paths: readonly string[]): ((pattern: string) => readonly string[]) => {
  let split: readonly (readonly string[])[] | undefined;
  return (pattern) => {
    if (!isGlob(pattern)) return [];
    split ??= paths.map((path) => keyOf(path).split('/'));
    const names = split;
    const test = globTest(keyOf(pattern));
    return paths.filter((_, at) => test(names[at] ?? []));
  };
};
