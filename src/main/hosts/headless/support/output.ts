/**
 * The output of a command. Results go to standard output, as JSON or as text. Progress and errors go to standard error.
 */

import type { CommanderError } from 'commander';
import { DeskError, type ErrorCode, type ErrorDetails, toErrorData } from '../../../../contract/errors.ts';
import { serviceTimeMs, type TimeBase } from '../../../../contract/resources.ts';
import type { UploadFile } from '../../../../contract/uploads.ts';
import english from '../../../../words/en/cli.json' with { type: 'json' };
import { formatSize } from '../../../../words/size.ts';
import type { Speech } from '../../../../words/speech.ts';
import { overwriteLine, plain, type Stream, toJson, writeLine, writePieces } from '../../shared/terminal.ts';

export type Words = string | readonly string[];

type Many<T> = Iterable<T> | AsyncIterable<T>;

/** A JSON document with a list that may be too long for memory. The list follows the fields of `head`. */
type LongDocument = {
  readonly head: Readonly<Record<string, unknown>>;
  readonly name: string;
  readonly items: () => AsyncIterable<unknown>;
  /** Returns the fields after the list, which are known only when the list has been written. */
  readonly tail?: () => Readonly<Record<string, unknown>>;
};

export type Output = ReturnType<typeof createOutput>;

/** Creates the output of a command, as JSON or as text. Lines are overwritten only if `stderr` is a terminal. */
export const createOutput = (json: boolean, stdout: Stream, stderr: Stream, speech: Speech<'host'>) => {
  const isTerminal = stderr.isTTY === true;
  const writeJson = (value: unknown): void => writeLine(stdout, toJson(value));
  return {
    speech,
    json,
    isTerminal,
    result: (document: unknown, words: () => Words): void => {
      if (json) writeJson(document);
      else for (const line of [words()].flat()) writeLine(stdout, line);
    },
    /**
     * Writes a result that contains a list of any length. Writes it piece by piece, and waits while the reader of
     * standard output is slower.
     */
    longResult: (document: LongDocument, lines: () => AsyncIterable<string>): Promise<void> =>
      writePieces(stdout, json ? jsonPieces(document) : linePieces(lines())),
    /** Writes any number of results: each as a JSON object on its own line, or all of them as text. */
    stream: (events: () => Many<Readonly<Record<string, unknown>>>, lines: () => Many<string>): Promise<void> =>
      writePieces(stdout, json ? eventPieces(events()) : linePieces(lines())),
    event: (event: Readonly<Record<string, unknown>>): void => {
      if (json) writeJson(event);
    },
    say: (line: string): void => writeLine(stderr, line),
    status: (line: string): void => {
      if (isTerminal) overwriteLine(stderr, line);
    },
    error: (error: unknown): void => {
      const data = toErrorData(error);
      if (json) writeJson({ type: 'error', error: data });
      writeLine(stderr, describeError(error, speech));
    },
  };
};

async function* linePieces(lines: Many<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${plain(line)}\n`;
}

async function* eventPieces(events: Many<unknown>): AsyncGenerator<string> {
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

const fieldsOf = (object: Readonly<Record<string, unknown>>): string => toJson(object).slice(1, -1);

export const describeError = (error: unknown, { t, errorText }: Speech<'host'>): string => {
  const data = toErrorData(error);
  const { title, todo } = errorText(data);
  // The text of a refusal already names the argument.
  const words = error instanceof Refusal ? sentence(error.words(t)) : `${title} ${todo}`;
  const hint = HINTS[data.code];
  return t('cli.error', { text: hint ? `${words} ${t(`cli.hint.${hint}`)}` : words, code: data.code });
};

const HINTS: { readonly [Code in ErrorCode]?: 'connection' | 'scope' | 'tokenStore' | 'proxyPassword' } = {
  'connection/missing': 'connection',
  'auth/denied': 'scope',
  'auth/failed': 'scope',
  'auth/no-refresh-token': 'scope',
  'keychain/unavailable': 'tokenStore',
  'network/proxy-password': 'proxyPassword',
  'network/proxy-password-wrong': 'proxyPassword',
};

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;

/**
 * The maximum number of files held until the command knows its batches. Above this number, the older half is dropped.
 */
const MOST_EARLY = 10_000;

export type FileLines = ReturnType<typeof createFileLines>;

export const createFileLines = ({ json, event }: Output) => {
  const owned = new Set<string>();
  let early: (readonly [batch: string, file: UploadFile])[] = [];
  const write = (batch: string, { path, FileName, sizeBytes, state, sha256, error, replaced }: UploadFile): void =>
    event({ type: 'file', batch, path, FileName, size: sizeBytes, state, sha256, error, replaced });
  const see = (batch: string, file: UploadFile): void => {
    if (owned.has(batch)) write(batch, file);
    else if (early.push([batch, file]) > MOST_EARLY) early = early.slice(MOST_EARLY / 2);
  };
  return {
    /** Writes each settled file. Undefined without `--json`, because reporting each file costs time. */
    ofAll: json ? write : undefined,
    /** Writes the settled files of the command's own batches. Undefined without `--json`. */
    ofOwn: json ? see : undefined,
    /** Marks the command's own batches. Also writes the files of these batches that are already settled. */
    own: (batchIds: readonly string[]): void => {
      for (const id of batchIds) owned.add(id);
      const waiting = early;
      early = [];
      for (const [batch, file] of waiting) see(batch, file);
    },
  };
};

/** A column of a table. `whole`: its cells are never cut, because users copy them into other commands. */
export type Column<T> = {
  readonly title: string;
  readonly cell: (row: T) => string | number;
  readonly whole?: boolean;
};

type Cell = string | number;

const WIDEST = 48;

const SAMPLE = 1000;

/**
 * Returns the lines of a table or, without rows, the text `none` if it is given. Cells wider than `WIDEST` columns of a
 * terminal are cut, unless the column is `whole`.
 */
export const formatTable = <T>(rows: readonly T[], columns: readonly Column<T>[], none?: string): readonly string[] => {
  if (rows.length === 0 && none !== undefined) return [none];
  const cells = rows.map((row) => cellsOf(row, columns));
  const line = lineOf(cells, columns);
  return [line(columns.map(({ title }) => title)), ...cells.map(line)];
};

/**
 * Yields the lines of a table of any length, titles first. The first 1,000 rows determine the widths. In later rows, a
 * cell that is too wide is cut or, if its column is `whole`, exceeds the width.
 */
export async function* streamTable<T>(rows: AsyncIterable<T>, columns: readonly Column<T>[]): AsyncGenerator<string> {
  const sample: T[] = [];
  let line: ((cells: readonly Cell[]) => string) | undefined;
  for await (const row of rows) {
    if (line) {
      yield line(cellsOf(row, columns));
    } else if (sample.push(row) === SAMPLE) {
      yield* formatTable(sample, columns);
      line = lineOf(
        sample.map((one) => cellsOf(one, columns)),
        columns,
      );
    }
  }
  if (!line) yield* formatTable(sample, columns);
}

const cellsOf = <T>(row: T, columns: readonly Column<T>[]): readonly Cell[] =>
  columns.map(({ cell }) => {
    const value = cell(row);
    return typeof value === 'number' ? value : plain(value);
  });

const lineOf = (cells: readonly (readonly Cell[])[], columns: readonly Column<never>[]) => {
  const widths = columns.map(({ title, whole }, index) => {
    const widest = cells.reduce((width, row) => Math.max(width, textWidth(String(row[index]))), textWidth(title));
    return whole ? widest : Math.min(WIDEST, widest);
  });
  return (values: readonly Cell[]): string =>
    values
      .map((value, index) => fit(value, widths[index] ?? 0, columns[index]?.whole === true))
      .join('  ')
      .trimEnd();
};

const fit = (value: Cell, width: number, whole: boolean): string => {
  const text = String(value);
  const cut = whole ? text : cutToWidth(text, width);
  const padding = ' '.repeat(Math.max(0, width - textWidth(cut)));
  return typeof value === 'number' ? padding + cut : cut + padding;
};

/** Texts in which every UTF-16 unit takes one column, such as Latin letters with or without accents. */
const SIMPLE = /^[\u0020-\u007e\u00a0-\u02ff]*$/;

/** Characters that take two columns: emoji, and East Asian characters other than halfwidth forms. */
const WIDE =
  /^(?:(?![\uff61-\uffdc])[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\p{sc=Yi}]|[\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|\p{Emoji}\ufe0f)/u;

/** Splits `text` into graphemes: a letter with its accents, or an emoji with its parts. */
const characters = (text: string): readonly string[] =>
  Array.from(new Intl.Segmenter('en').segment(text), ({ segment }) => segment);

const widthOf = (character: string): number => (WIDE.test(character) ? 2 : 1);

/** The number of terminal columns that `text` takes. `text` must not contain control characters. */
const textWidth = (text: string): number =>
  SIMPLE.test(text) ? text.length : characters(text).reduce((width, character) => width + widthOf(character), 0);

/** Returns `text`, or its beginning with an ellipsis if it takes more than `width` columns. */
const cutToWidth = (text: string, width: number): string => {
  if (textWidth(text) <= width) return text;
  let taken = 1;
  let cut = '';
  for (const character of characters(text)) {
    taken += widthOf(character);
    if (taken > width) break;
    cut += character;
  }
  return `${cut}…`;
};

export const formatBytes = (bytes: number | undefined, { locale }: Pick<Speech<'host'>, 'locale'>): string =>
  bytes === undefined ? '' : formatSize(bytes, locale);

/** Formats a time of the service; a dash for numbers that are not a time. */
export const formatServiceTime = (value: number, base: TimeBase): string => {
  const ms = serviceTimeMs(value, base);
  return ms === 0 || Number.isNaN(new Date(ms).getTime()) ? '–' : formatTime(ms);
};

export const formatTime = (ms: number): string => new Date(ms).toLocaleString();

/** Formats a time for scripts. Undefined, which JSON leaves out, if there is no time. */
export const isoTime = (ms: unknown) => (typeof ms === 'number' ? new Date(ms).toISOString() : undefined);

export type Translate = Speech<'host'>['t'];

/** The error `input/invalid` for arguments. `message` is in English; `words` translates it. */
export class Refusal extends DeskError {
  readonly words: (t: Translate) => string;

  constructor(message: string, words: (t: Translate) => string, details: ErrorDetails = {}) {
    super('input/invalid', message, { details });
    this.words = words;
  }
}

/** Messages for scripts are in English, whatever the user's language. */
const { help } = english;

export const usage = (key: keyof typeof help.usage): Refusal =>
  new Refusal(help.usage[key], (t) => t(`help.usage.${key}`));

/** `name`: the name of the option or argument whose value is empty. */
export const emptyValue = (name: string): Refusal =>
  new Refusal(`${name} is empty`, (t) => t('help.emptyValue', { name }));

/**
 * Converts an error of commander to a `Refusal` in the app's words. The names of options and arguments are taken from
 * the quotes in the error's message, because the error has no fields for them.
 */
export const refusalOf = ({ code, message: text }: CommanderError): Refusal => {
  const message = text.replace(/^error: /, '').replaceAll(/\s+/g, ' ');
  const kind = code.replace('commander.', '');
  return new Refusal(message, (t) => (isKnown(kind) ? say(kind, message, t) : message));
};

type Kind = Exclude<keyof typeof help.refused, 'suggestion'>;

const isKnown = (kind: string): kind is Kind => kind !== 'suggestion' && Object.hasOwn(help.refused, kind);

const say = (kind: Kind, message: string, t: Translate): string => {
  const [name = '', other = ''] = [...message.matchAll(/'(.*?)'(?=[ .]|$)/g)].map(([, quoted]) => quoted);
  const [expected = '', got = ''] = message.match(/\d+/g) ?? [];
  const text = t(`help.refused.${kind}`, { name, other, expected, got, reason: reasonIn(message, t) });
  const names = /\(Did you mean (?:one of )?(.*)\?\)$/.exec(message)?.[1];
  return names === undefined ? text : t('help.refused.suggestion', { text, names });
};

const reasons = Object.keys(help.reason) as (keyof typeof help.reason)[];

const reasonIn = (message: string, t: Translate): string => {
  const choices = /Allowed choices are (.*)\.$/.exec(message)?.[1];
  if (choices !== undefined) return t('help.choices', { choices });
  const reason = reasons.find((key) => message.endsWith(help.reason[key]));
  return reason === undefined ? '' : t(`help.reason.${reason}`);
};
