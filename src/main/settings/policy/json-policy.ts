import {
  findNodeAtLocation,
  getLocation,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { beyondLevel } from '../../data/read-file.ts';
import type { Fault, RawPolicy } from './policy-error.ts';

/** The policy in the text of the JSON file at `path`, its values not yet checked. Nothing is taken from one that is not JSON. */
export const readJson = (path: string, file: string): RawPolicy => {
  const text = file.replace(/^\uFEFF/, '');
  const fault = (offset: number, what: string, key?: string): Fault => ({
    ...{ code: 'policy/syntax', path, line: lineAt(text, offset), what },
    ...(key && { key }),
  });
  const deep = tooDeep(text);
  if (deep) return { path, value: {}, faults: [fault(deep.offset, 'NestingTooDeep', deep.key)] };
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true });
  if (!root || errors.length > 0) {
    const faults = errors.slice(0, MOST_ERRORS).map(({ offset, error }) => fault(offset, printParseErrorCode(error)));
    return { path, value: {}, faults: faults.length > 0 ? faults : [fault(0, 'ValueExpected')] };
  }
  return {
    path,
    value: JSON.parse(text),
    lineOf: (keys) => lineAt(text, nearest(root, keys.map(String)).offset),
  };
};

/** After a comma that is missing, a parser finds many. */
const MOST_ERRORS = 5;

/** Far more than the schema has. */
const MOST_LEVELS = 20;

/** Where `text` has more levels than any policy, and the keys that lead there. */
const tooDeep = (text: string): { readonly offset: number; readonly key: string } | undefined => {
  const offset = beyondLevel(text, MOST_LEVELS);
  if (offset === undefined) return undefined;
  return { offset, key: getLocation(text.slice(0, offset), offset).path.join('.') };
};

/** The place of what `keys` lead to, or of the last of them that is there. */
const nearest = (root: Node, keys: readonly string[]): Node => {
  const found = findNodeAtLocation(
    root,
    keys.map((key) => (/^\d+$/.test(key) ? Number(key) : key)),
  );
  if (found) return found.parent?.type === 'property' ? found.parent : found;
  return keys.length === 0 ? root : nearest(root, keys.slice(0, -1));
};

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;
