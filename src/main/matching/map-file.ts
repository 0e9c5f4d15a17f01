/** Reads map files. A map file assigns folders to assignments, so that the names of these folders are not matched. */

import { visibleText } from '../../contract/text.ts';
import { addTo } from './names.ts';

/** A mistake in a line. `line` counts from 1, as in editors. */
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
  /** The text of the mistake, cut after 200 characters; for `lines-many`, the limit. */
  readonly text: string;
};

/** The maximum number of characters in a cell. Few paths are longer. */
const MOST_CELL_CHARACTERS = 4_096;

const MOST_LINES = 100_000;

/** The maximum number of problems that are reported, more than a user corrects at a time. */
const MOST_PROBLEMS = 1_000;

/**
 * The maximum cost of comparing patterns with names. Comparisons of this cost take a few seconds. A comparison costs
 * the length of a pattern's part times the length of a name. 5,000 patterns that begin with a folder need a third of
 * the maximum for 2,000 folders with 100,000 files.
 */
const MOST_COMPARED = 2_500_000_000;

const FOUND_COSTS = 100;

type MapFile =
  | { readonly ok: true; readonly assignments: ReadonlyMap<string, string> }
  | { readonly ok: false; readonly problems: readonly MapProblem[] };

const PATH_COLUMNS = ['path', 'folder'];
const ID_COLUMNS = ['assignment', 'assignmentid'];

type Row = { readonly line: number; readonly cells: readonly string[] };
type Line = { readonly line: number; readonly path: string; readonly id: string };

/**
 * Parses the rows of a CSV up to the first mistake, and leaves out empty rows. A cell in quotes can have several lines.
 */
const readRows = (text: string): { readonly rows: readonly Row[]; readonly mistake?: MapProblem } => {
  const source = text
    .replace(/^\uFEFF/, '')
    .replaceAll(/\r\n?/g, '\n')
    .replace(/\n?$/, '\n');
  // The first line can state the separator, as in "sep=;".
  const [told = ''] = /^sep=[,;\t]\n/i.exec(source) ?? [];
  const [head = ''] = told === '' ? source.slice(0, MOST_CELL_CHARACTERS).split('\n', 1) : [told];
  const count = (separator: string): number => head.split(separator).length;
  const separator = [',', ';', '\t'].reduce((best, one) => (count(one) > count(best) ? one : best));
  // Cells have a limit. Without it, an unclosed quotation mark would make the rest of the file one cell.
  const most = `{0,${MOST_CELL_CHARACTERS}}`;
  const cell = new RegExp(`(?:"((?:[^"]|"")${most})" *|(?!")([^${separator}\n]${most}))(${separator}|\n)`, 'y');
  const rows: Row[] = [];
  let [line, next] = told === '' ? [1, 1] : [2, 2];
  let cells: string[] = [];
  cell.lastIndex = told.length;
  for (let at = told.length; at < source.length; at = cell.lastIndex) {
    if (line > MOST_LINES) return { rows, mistake: { line, kind: 'lines-many', text: String(MOST_LINES) } };
    const [written, quoted, bare = '', end] = cell.exec(source) ?? [];
    if (written === undefined) {
      const rest = [...cells, source.slice(at, at + MOST_CELL_CHARACTERS)].join(', ');
      return { rows, mistake: { line, kind: source[at] === '"' ? 'quote' : 'cell-long', text: rest } };
    }
    cells.push((quoted?.replaceAll('""', '"') ?? bare).trim());
    next += written.split('\n').length - 1;
    if (end === separator) continue;
    if (cells.some((one) => one !== '')) rows.push({ line, cells });
    cells = [];
    line = next;
  }
  return { rows };
};

/**
 * Returns `path` with `/` between names, and without empty names and `.`. Returns `.` for the chosen folder, and
 * undefined if the path is absolute or has `..`.
 */
const insidePath = (path: string): string | undefined => {
  const slashed = path.replaceAll('\\', '/');
  if (/^(\/|[a-z]:)/i.test(slashed)) return undefined;
  const names = slashed.split('/').filter((name) => name !== '' && name !== '.');
  if (names.includes('..')) return undefined;
  return names.length === 0 ? '.' : names.join('/');
};

/**
 * Reads a map file. It has a header with `path` (or `folder`) and `assignment` (or `AssignmentId`), separated by `,`,
 * `;` or TAB. A line such as `sep=;` can precede the header. Each further line names a folder or loose file, or matches
 * several by a pattern with `*`, `**` or `?`. A line that names a path takes precedence over patterns. Two lines that
 * name one path are a mistake, and so are two patterns that assign one path differently. `paths`: the folders and loose
 * files below the chosen folder, with `/` between names; `.` is the chosen folder itself.
 */
export const parseMapFile = (
  text: string,
  { paths, isKnown }: { readonly paths: Iterable<string>; readonly isKnown: (AssignmentId: string) => boolean },
): MapFile => {
  const { rows, mistake } = readRows(text);
  const [head = { line: 1, cells: [] }, ...others] = rows;
  const names = head.cells.map((cell) => cell.toLowerCase());
  const pathAt = names.findIndex((name) => PATH_COLUMNS.includes(name));
  const idAt = names.findIndex((name) => ID_COLUMNS.includes(name));
  const problems = mistake ? [mistake] : [];
  const lines: Line[] = [];
  if (pathAt < 0 || idAt < 0) problems.push({ line: head.line, kind: 'columns', text: head.cells.join(', ') });
  else
    for (const { line, cells } of others) {
      const given = cells[pathAt] ?? '';
      const id = (cells[idAt] ?? '').toLowerCase();
      const path = insidePath(given);
      if (given === '' || id === '' || cells.length > names.length)
        problems.push({ line, kind: 'columns', text: cells.join(', ') });
      else if (!isKnown(id)) problems.push({ line, kind: 'assignment-unknown', text: id });
      else if (path === undefined) problems.push({ line, kind: 'path-outside', text: given });
      else lines.push({ line, path, id });
    }
  const { assignments, conflicts } = resolve(lines, paths);
  if (problems.length + conflicts.length === 0) return { ok: true, assignments };
  const first = [...problems, ...conflicts].sort((one, other) => one.line - other.line).slice(0, MOST_PROBLEMS);
  const shown = (text: string): string => visibleText(text).replace(/(?<=^.{200}).+/s, '…');
  return { ok: false, problems: first.map((one) => ({ ...one, text: shown(one.text) })) };
};

const resolve = (lines: readonly Line[], paths: Iterable<string>) => {
  const { pathLike, pathsMatching } = createFinder(paths);
  const conflicts: MapProblem[] = [];
  const [exact, byPattern] = [new Map<string, string>(), new Map<string, string>()];
  const patterns: Line[] = [];
  for (const one of lines) {
    // A folder's name can contain a star, so the text is first looked up as a path.
    const path = pathLike(one.path);
    if (path === undefined) patterns.push(one);
    else if (exact.has(path)) conflicts.push({ line: one.line, kind: 'folder-twice', text: one.path });
    else exact.set(path, one.id);
  }
  for (const { line, path: text, id } of patterns) {
    const found = pathsMatching(text);
    if (found === undefined) {
      conflicts.push({ line, kind: 'patterns-much', text });
      break;
    }
    const others = found.filter((path) => !exact.has(path));
    if (found.length === 0) conflicts.push({ line, kind: 'path-unmatched', text });
    if (others.some((path) => (byPattern.get(path) ?? id) !== id)) conflicts.push({ line, kind: 'folder-twice', text });
    for (const path of others) byPattern.set(path, id);
  }
  return { assignments: new Map([...byPattern, ...exact]), conflicts };
};

/*
 * In patterns, `*` matches any text within a name, `**` any folders, `?` one character, and every other character
 * itself. Glob libraries are not used. They give brackets, braces and exclamation marks a meaning, but names of folders
 * contain these. Some also compile expressions whose time grows exponentially with the number of stars.
 */

/**
 * A folder or file. `below`: its contents, by their names in lower case and composed form. `paths`: its path as
 * written, or several paths that differ only in case or form.
 */
type Place = { readonly below: Map<string, Place[]>; readonly paths: string[] };
const newPlace = (): Place => ({ below: new Map(), paths: [] });

/**
 * Creates the expression for the names that one part of a pattern matches. The text after a star is found by a
 * lookahead, which is not retried, because the first place of the text is as good as any later one. So the time grows
 * at most with the product of the lengths of pattern and name.
 */
const expressionOf = (part: string): RegExp => {
  const texts = part
    .replaceAll(/[\\^$.+()[\]{}|]/g, '\\$&')
    .replaceAll('?', '.')
    .split(/\*+/);
  const [start = '', ...others] = texts;
  const end = others.pop();
  const inner = others.map((text, at) => `(?=(.*?${text}))\\${at + 1}`).join('');
  return new RegExp(`^${start}${inner}${end === undefined ? '' : `.*${end}`}$`, 'su');
};

const addBelow = (places: Set<Place>): void => {
  // The iteration over a set includes members that are added during the iteration.
  for (const { below } of places) for (const place of [...below.values()].flat()) places.add(place);
};

/**
 * Creates functions that find paths by their names. A part of a pattern is compared only with names in the folders that
 * the parts before it have found.
 */
const createFinder = (paths: Iterable<string>) => {
  const namesOf = (path: string): readonly string[] => path.normalize('NFC').toLowerCase().split('/');
  // `anywhere` is for patterns that start with `**`. It has each name once, however many folders have the name.
  const [root, anywhere] = [newPlace(), newPlace()];
  for (const path of paths) {
    let place = root;
    for (const name of namesOf(path)) {
      const next = place.below.get(name)?.[0] ?? newPlace();
      if (!place.below.has(name)) for (const { below } of [place, anywhere]) addTo(below, name, next);
      place = next;
    }
    place.paths.push(path);
  }
  let compared = 0;
  const matching = (part: string, places: Iterable<Place>): Set<Place> => {
    const [isPattern, expression] = [/[*?]/.test(part), expressionOf(part)];
    const found = new Set<Place>();
    for (const { below } of places)
      for (const [name, inner] of isPattern ? below : [[part, below.get(part) ?? []] as const]) {
        compared += part.length * name.length;
        if (compared < MOST_COMPARED && expression.test(name)) for (const place of inner) found.add(place);
      }
    return found;
  };
  return {
    /**
     * Returns the path that differs from `path` at most in case and normal form, preferably `path` itself; undefined if
     * there is none.
     */
    pathLike: (path: string): string | undefined => {
      let place: Place | undefined = root;
      for (const name of namesOf(path)) place = place?.below.get(name)?.[0];
      return place?.paths.find((one) => one === path) ?? place?.paths.at(-1);
    },
    /** Returns the paths that `pattern` matches; undefined if all patterns together take too long. */
    pathsMatching: (pattern: string): readonly string[] | undefined => {
      // At the end, `**` matches at least one name.
      const [first = '', ...others] = namesOf(pattern.replace(/(^|\/)\*\*$/, '$&/*'));
      let found = first === '**' ? new Set([anywhere]) : matching(first, [root]);
      for (const part of others) {
        if (part === '**') addBelow(found);
        else found = matching(part, found);
        compared += FOUND_COSTS * found.size;
        if (compared > MOST_COMPARED) break;
      }
      return compared > MOST_COMPARED ? undefined : [...found].flatMap((place) => place.paths);
    },
  };
};
