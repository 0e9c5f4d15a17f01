/**
 * Matching rules: the assignment that a person chose for folders of a name. A name that is no address or id can be that of many folders:
 * every camera has a "DCIM", and every town a "Hansen". A rule for such a name only holds in the folder in which it was made.
 */
import { type Segment, segmentOf } from './names.ts';
import { isFilling, isWorkWord } from './words.ts';

/** Longer numbers are those of jobs and orders, not of houses. */
const LONGEST_NUMBER = 4;

/**
 * `name`: as the folder was called; `parent`: the absolute path of the folder around it, empty where that is not known;
 * `confirmedAtMs`: when a person last chose the assignment for it.
 */
export type Rule = {
  readonly name: string;
  readonly parent: string;
  readonly AssignmentId: string;
  readonly confirmedAtMs?: number;
};

/** Rules by the keys of names (`ruleName`), the last confirmed first. */
export type Rules = ReadonlyMap<string, readonly Rule[]>;

/** A folder's path from the chosen folder's name on, with `/`; `rootPath`: the absolute path of the chosen folder. */
export type RuledFolder = { readonly path: string; readonly rootPath?: string | undefined };

/** A name as rules know it. `depth`: which name of the path it is, from 0. */
export type RuleName = { readonly key: string; readonly name: string; readonly parent: string; readonly depth: number };

/**
 * The name by which a rule knows a folder: its own without noise and dates, so that "2026-05-12 Elveveien 97, bilder" and
 * "elveveien_97" are the same. A name of nothing but noise is told by the folder above it.
 */
export const ruleName = ({ path, rootPath }: RuledFolder): RuleName | undefined => {
  const names = path.split('/').filter((name) => name !== '');
  for (let depth = names.length - 1; depth >= 0; depth -= 1) {
    const name = names[depth] ?? '';
    const { tokens, dates } = segmentOf(name);
    const telling = tokens.filter(
      ({ text, isNumber, start, end }) =>
        !dates.some((date) => start < date.end && end > date.start) &&
        (isNumber || !(isWorkWord(text) || isFilling(text))),
    );
    if (telling.some(({ isNumber, text }) => !isNumber || text.length > LONGEST_NUMBER))
      return { key: telling.map(({ text }) => text).join(' '), name, parent: parentOf(names, depth, rootPath), depth };
  }
  return undefined;
};

/** Where Windows, macOS and Linux mount drives. Different cards get the same place. */
const DRIVE = /^([a-z]:|\/Volumes\/[^/]+|(\/run)?\/media(\/[^/]+){0,2}|\/mnt(\/[^/]+)?)?$/i;
/** The folder of a camera, in which the folders have the same names on every card. */
const DCIM = /(^|[/\\])DCIM$/i;

/** The folder around the name at `depth`; empty if it is on a drive and so may be another one next time. */
const parentOf = (names: readonly string[], depth: number, rootPath = ''): string => {
  const separator = rootPath.startsWith('/') ? '/' : '\\';
  const whole = [...rootPath.split(separator).filter((name, at) => name !== '' || at === 0), ...names.slice(1)];
  const parent = whole.slice(0, whole.length - names.length + depth).join(separator);
  return DRIVE.test(parent) || DCIM.test(parent) ? '' : parent;
};

/** The rule for a folder of this name. `isPlace`: whether the name has an address or an id, which is the same everywhere. */
export const ruleFor = (rules: Rules, { key, parent }: RuleName, isPlace: boolean): Rule | undefined => {
  const all = rules.get(key) ?? [];
  return all.find((rule) => rule.parent !== '' && rule.parent === parent) ?? (isPlace ? all[0] : undefined);
};

/** Whether a name has a number that is longer than a house's, or a guid: that of a job or an order. */
export const hasLongNumber = ({ tokens, dates, guids }: Segment): boolean => {
  const isDate = (start: number, end: number): boolean => dates.some((date) => start < date.end && end > date.start);
  return (
    guids.length > 0 ||
    tokens.some(({ isNumber, text, start, end }) => isNumber && text.length > LONGEST_NUMBER && !isDate(start, end))
  );
};
