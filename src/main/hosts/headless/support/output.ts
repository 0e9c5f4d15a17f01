/**
 * Where the command line speaks: results go to standard output, as JSON or in words; progress, questions and errors
 * for people go to standard error.
 */

import { type ErrorCode, toErrorData } from '../../../../contract/errors.ts';
import type { Speech } from '../../../../words/speech.ts';
import { overwriteLine, plain, type Stream, toJson, writeLine, writePieces } from '../../shared/terminal.ts';
import { Refusal } from './refusal.ts';

/** One or several lines. */
export type Words = string | readonly string[];

/** A document with a list that may be too long for memory. */
type LongDocument = {
  readonly head: Readonly<Record<string, unknown>>;
  /** The name of the list, which stands after `head`. */
  readonly name: string;
  readonly items: () => AsyncIterable<unknown>;
  /** Fields that are known once the list has been written. */
  readonly tail?: () => Readonly<Record<string, unknown>>;
};

export type Output = {
  /** The language of the texts. */
  readonly speech: Speech<'host'>;
  readonly json: boolean;
  /** Whether it is a terminal, where a line can be overwritten. */
  readonly isTerminal: boolean;
  /** A result: `document` as one line of JSON, or `words` for people. */
  readonly result: (document: unknown, words: () => Words) => void;
  /** The same of a list of any length, piece by piece. */
  readonly longResult: (document: LongDocument, lines: () => AsyncIterable<string>) => Promise<void>;
  /** Any number of such objects, no faster than they are read. */
  readonly events: (events: () => AsyncIterable<Readonly<Record<string, unknown>>>) => Promise<void>;
  /** Lines of a result for people, as they come. */
  readonly lines: (lines: () => AsyncIterable<string>) => Promise<void>;
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
export const createOutput = (json: boolean, stdout: Stream, stderr: Stream, speech: Speech<'host'>): Output => {
  const isTerminal = stderr.isTTY === true;
  const writeJson = (value: unknown): void => writeLine(stdout, toJson(value));
  return {
    speech,
    json,
    isTerminal,
    result: (document, words) => {
      if (json) writeJson(document);
      else for (const line of [words()].flat()) writeLine(stdout, line);
    },
    longResult: (document, lines) => writePieces(stdout, json ? jsonPieces(document) : linePieces(lines())),
    events: async (events) => {
      if (json) await writePieces(stdout, eventPieces(events()));
    },
    lines: (lines) => writePieces(stdout, linePieces(lines())),
    event: (event) => {
      if (json) writeJson(event);
    },
    say: (line) => writeLine(stderr, line),
    status: (line) => {
      if (isTerminal) overwriteLine(stderr, line);
    },
    error: (error) => {
      const data = toErrorData(error);
      if (json) writeJson({ type: 'error', error: data });
      writeLine(stderr, describeError(error, speech));
    },
  };
};

async function* linePieces(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${plain(line)}\n`;
}

async function* eventPieces(events: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const event of events) yield `${toJson(event)}\n`;
}

async function* jsonPieces({ head, name, items, tail = () => ({}) }: LongDocument): AsyncGenerator<string> {
  const before = fieldsOf(head);
  yield `{${before}${before && ','}${toJson(name)}:[`;
  let separator = '';
  for await (const item of items()) {
    yield `${separator}${toJson(item)}`;
    separator = ',';
  }
  const after = fieldsOf(tail());
  yield `]${after && ','}${after}}\n`;
}

/** The fields of a JSON object, without its braces. */
const fieldsOf = (object: Readonly<Record<string, unknown>>): string => toJson(object).slice(1, -1);

/** What went wrong in one line: words, the facts that help, and the code. */
export const describeError = (error: unknown, { t, errorText }: Speech<'host'>): string => {
  const data = toErrorData(error);
  const { title, todo } = errorText(data);
  // What refuses an argument names it.
  const words = error instanceof Refusal ? sentence(error.words(t)) : `${title} ${todo}`;
  const text = hasHint(data.code) ? `${words} ${t(HINTS[data.code])}` : words;
  return t('cli.error', { text, code: data.code });
};

/** Advice that applies to the command line only. */
const HINTS = {
  'connection/missing': 'cli.hint.connection',
  'auth/denied': 'cli.hint.scope',
  'auth/failed': 'cli.hint.scope',
  'auth/no-refresh-token': 'cli.hint.scope',
  'keychain/unavailable': 'cli.hint.tokenStore',
  'network/proxy-password': 'cli.hint.proxyPassword',
  'network/proxy-password-wrong': 'cli.hint.proxyPassword',
} as const satisfies Readonly<Partial<Record<ErrorCode, string>>>;

const hasHint = (code: ErrorCode): code is keyof typeof HINTS => Object.hasOwn(HINTS, code);

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
