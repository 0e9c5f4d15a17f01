/** The texts of errors. The window and the command line share them, so both explain an error in the same way. */
import { compact } from 'es-toolkit';
import { type ErrorCode, type ErrorData, isCertificateCode, isNameFailure } from '../contract/errors.ts';
import type { SharedWords } from './english.d.ts';
import type { Translation } from './languages.ts';

/** The text of an error. `title`: what happened; `todo`: what the user can do about it. Both are whole sentences. */
export type ErrorText = { readonly title: string; readonly todo: string };

type ErrorWords = Translation<SharedWords['error']>;

type ShownError = Pick<ErrorData, 'code' | 'details' | 'retryAfterMs'>;
type Details = ErrorData['details'];

export type ErrorTexts = {
  /**
   * Returns the text of an error for users. It includes details that help, such as `path` (the file or folder), `field`
   * (the input at fault), `host` (the server) and `retryAfterMs` (how long to wait).
   */
  readonly errorText: (error: ShownError) => ErrorText;
  /** Returns the text of an error of one file, such as one that prevented its upload. */
  readonly fileErrorText: (error: ShownError) => ErrorText;
};

/** Returns a sentence that says that the user can try again in `count` seconds or minutes. */
type RetryIn = (unit: 'second' | 'minute', count: number) => string;

export const createErrorTexts = (words: ErrorWords, retryIn: RetryIn): ErrorTexts => {
  const { code: texts } = words;
  const fileTexts: Readonly<Partial<Record<ErrorCode, ErrorText>>> = words.file;
  const hostTexts: Readonly<Partial<Record<ErrorCode, ErrorText>>> = words.host;
  const fieldNames: Readonly<Record<string, string>> = words.fieldName;
  const detailTexts: Readonly<Record<string, Readonly<Record<string, string>>>> = words.detail;

  const inWords = (details: Details): Details =>
    Object.fromEntries(
      Object.entries(details).map(([name, value]) => [name, detailTexts[name]?.[String(value)] ?? value]),
    );

  /**
   * Returns the text for an error in one field; undefined if the error names no field, or if its code has no such text.
   */
  const fieldText = ({ code, details: { field, part } }: ShownError): ErrorText | undefined => {
    if (typeof field !== 'string') return undefined;
    const name = fieldNames[field] ?? field;
    const { todo } = texts[code];
    if (code === 'input/invalid') return { title: fill(words.field.invalid, { name }), todo };
    if (code === 'connection/insecure') return { title: fill(words.field.insecure, { name }), todo };
    if (code !== 'connection/address' || !isExtraPart(part)) return undefined;
    const extra = words.field[part];
    return { title: fill(extra.title, { name }), todo: extra.todo };
  };

  const nameText = (error: ShownError): ErrorText | undefined => {
    if (!isNameFailure(error)) return undefined;
    return error.code === 'network/proxy-unreachable' ? words.name.proxy : words.name.host;
  };

  const errorText = (error: ShownError): ErrorText => {
    const { code, details, retryAfterMs } = error;
    const ofField = fieldText(error);
    if (ofField) return ofField;
    const { title, todo } = nameText(error) ?? ((details.host !== undefined && hostTexts[code]) || texts[code]);
    const sentences = compact([
      isRejection(code) && details.message !== undefined && fill(words.said, unstopped(details)),
      isCertificateCode(code) && details.issuer !== undefined && fill(words.issuedBy, details),
      isAboutTime(code) && details.validTo !== undefined && fill(words.validity, details),
      code === 'upload/clock-wrong' && details.minutes !== undefined && fill(words.clockOff, details),
      code === 'service/busy' && retryAfterMs !== undefined ? wait(retryAfterMs, retryIn) : todo,
    ]);
    return { title: fill(title, inWords(withHost(details))), todo: sentences.join(' ') };
  };
  const ofFile = (error: ShownError): ErrorText | undefined =>
    isNameFailure(error) ? undefined : fileTexts[error.code];
  return { errorText, fileErrorText: (error) => ofFile(error) ?? errorText(error) };
};

const withHost = (details: Details): Details =>
  details.host === undefined && typeof details.origin === 'string' && URL.canParse(details.origin)
    ? { ...details, host: new URL(details.origin).host }
    : details;

const isAboutTime = (code: ErrorCode): boolean =>
  code === 'service/certificate-expired' || code === 'service/certificate-not-yet-valid';

const isRejection = (code: ErrorCode): boolean =>
  code === 'service/refused' || code === 'service/forbidden' || code === 'service/not-found';

/** Removes the full stop of the service's message, because the sentence around the message has one. */
const unstopped = ({ message }: Details): Details => ({ message: String(message).replace(/\.$/, '') });

const extraParts = ['userinfo', 'query', 'fragment'] as const;
const isExtraPart = (part: unknown): part is (typeof extraParts)[number] => extraParts.some((extra) => extra === part);

const wait = (ms: number, retryIn: RetryIn): string => {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  return seconds < 120 ? retryIn('second', seconds) : retryIn('minute', Math.ceil(seconds / 60));
};

/**
 * Fills `details` into a text. A placeholder without a value is removed together with the colon and the space before
 * it.
 */
const fill = (text: string, details: Details): string =>
  text.replace(/:? ?\{\{(\w+)\}\}/g, (place, name: string) => {
    const value = details[name];
    return value === undefined ? '' : place.replace(`{{${name}}}`, () => String(value));
  });
