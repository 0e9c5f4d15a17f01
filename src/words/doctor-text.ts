/** What the doctor found, in words. The window and the command line share them. */
import type { DoctorCheck, DoctorReport, Found } from '../contract/doctor.ts';
import { type ErrorTexts, fill } from './error-text.ts';
import type { Catalogs, Translation } from './languages.ts';
import { formatSize } from './size.ts';

export type DoctorWords = Translation<Catalogs['doctor']>;

/** A check in words. `todo`: what a person can do, where something is wrong. */
type SpokenCheck = {
  readonly check: string;
  readonly verdict: string;
  readonly found: string;
  readonly todo: string;
};

/** What was found, in a few words; sizes in the style of `locale`. */
export const foundText = ({ word, values }: Found, { found }: DoctorWords, locale: string): string =>
  fill(found[word], 'bytes' in values ? { size: formatSize(Number(values.bytes), locale) } : values);

/** `check` in the language of `words`. */
export const speakCheck = (
  { check, host, state, found, error }: DoctorCheck,
  words: DoctorWords,
  { errorText }: Pick<ErrorTexts, 'errorText'>,
  locale: string,
): SpokenCheck => {
  const name = words.check[check];
  const wrong = error && errorText(error);
  return {
    check: host === undefined ? name : fill(words.of, { check: name, host }),
    verdict: words.state[state],
    found: wrong ? `${wrong.title} (${error.code})` : found ? foundText(found, words, locale) : '',
    todo: wrong?.todo ?? '',
  };
};

/** "2 checks failed.": how many checks did not pass, in the plural form of `locale`. */
export const countText = (key: 'failed' | 'warned', count: number, words: DoctorWords, locale: string): string => {
  const forms: Readonly<Record<string, unknown>> = words;
  const text = forms[`${key}_${new Intl.PluralRules(locale).select(count)}`];
  return fill(typeof text === 'string' ? text : words[`${key}_other`], { count });
};

/** The whole report as text, to be sent to somebody: without secrets, and in one language. */
export const reportText = (
  { version, node, platform, atMs, checks }: DoctorReport,
  words: DoctorWords,
  errors: Pick<ErrorTexts, 'errorText'>,
  locale: string,
): string => {
  const lines = checks.map((one) => {
    const { check, verdict, found, todo } = speakCheck(one, words, errors, locale);
    return `${verdict}  ${check}: ${found} [${one.ms} ms]${todo && `\n    ${todo}`}`;
  });
  return [`Inspection Desk ${version}, Node ${node}, ${platform}`, new Date(atMs).toISOString(), ...lines, ''].join(
    '\n',
  );
};
