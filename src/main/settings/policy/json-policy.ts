import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { policyError, type RawPolicy } from './policy-error.ts';

/**
 * The policy in the text of the JSON file at `path`, not yet checked.
 * @throws DeskError `policy/syntax` (details `path`, `line`)
 */
export const readJson = (path: string, file: string): RawPolicy => {
  // Editors on Windows begin a file with a byte order mark.
  const text = file.replace(/^\uFEFF/, '');
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true });
  const [first] = errors;
  if (first || !root) {
    const line = lineAt(text, first?.offset ?? 0);
    throw policyError('policy/syntax', { path, line }, first ? printParseErrorCode(first.error) : 'is empty');
  }
  return {
    path,
    value: JSON.parse(text),
    lineOf: (keys) => lineAt(text, nearest(root, keys.map(String)).offset),
  };
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
