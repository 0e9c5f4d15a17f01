/**
 * Where the command line speaks: results go to standard output, as JSON or in words; progress, questions and errors
 * for people go to standard error.
 */
import { errorText } from '../../contract/error-text.ts';
import { type ErrorCode, toErrorData } from '../../contract/errors.ts';

/** Standard output or standard error. */
export type Stream = { readonly write: (text: string) => unknown; readonly isTTY?: boolean; readonly columns?: number };

export type Output = {
  readonly json: boolean;
  /** A terminal, where a line can be drawn over. */
  readonly isTerminal: boolean;
  /** A result: `document` as one line of JSON, or `words` for people. */
  readonly result: (document: unknown, words: () => string) => void;
  /** One JSON object of a stream; nothing for people. */
  readonly event: (event: Readonly<Record<string, unknown>>) => void;
  /** A line for people; never on standard output while that is JSON. */
  readonly say: (line: string) => void;
  /** Draws over the last such line of a terminal; an empty text clears it. */
  readonly status: (line: string) => void;
  /** An error in one line, with its code; with --json also as an object. */
  readonly error: (error: unknown) => void;
};

/** Output in JSON or in words. Lines are drawn over only where `stderr` is a terminal. */
export const createOutput = (json: boolean, stdout: Stream, stderr: Stream): Output => {
  const isTerminal = stderr.isTTY === true;
  const writeJson = (value: unknown): void => void stdout.write(`${JSON.stringify(value)}\n`);
  const status = (line: string): void => {
    if (isTerminal) stderr.write(`\r\u001b[K${line.slice(0, (stderr.columns ?? 80) - 1)}`);
  };
  return {
    json,
    isTerminal,
    result: (document, words) => {
      if (json) writeJson(document);
      else stdout.write(`${words()}\n`);
    },
    event: (event) => {
      if (json) writeJson(event);
    },
    say: (line) => void stderr.write(`${line}\n`),
    status,
    error: (error) => {
      const data = toErrorData(error);
      if (json) writeJson({ type: 'error', error: data });
      stderr.write(`${describeError(error)}\n`);
    },
  };
};

/** What went wrong in one line: words, the facts that help, and the code. */
export const describeError = (error: unknown): string => {
  const data = toErrorData(error);
  const { title, todo } = errorText(data);
  // Arguments are refused in the words of their parser, which name them.
  const words = data.code === 'input/invalid' ? sentence(data.message) : `${title} ${todo}`;
  const hint = HINTS[data.code];
  return `error: ${words}${hint === undefined ? '' : ` ${hint}`} (${data.code})`;
};

/** What helps on a command line only. */
const HINTS: Readonly<Partial<Record<ErrorCode, string>>> = {
  'connection/missing': 'Here: --base-url, --auth-url and --client-id.',
  'auth/denied': 'Here, --scope names the scope.',
  'auth/failed': 'Here, --scope names the scope.',
  'auth/no-refresh-token': 'Here, --scope names the scope.',
  'keychain/unavailable': 'Here, --token-store memory signs in for one command only.',
};

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
