/** The doctor's findings as text, shared by the window and the command line. */
import type { CrashDump, DoctorCheck, DoctorReport, Found } from '../contract/doctor.ts';
import type { SharedWords } from './english.d.ts';
import type { ErrorTexts } from './error-text.ts';
import { formatSize } from './size.ts';
import type { Speech } from './speech.ts';

/** The texts of the window or of main. Both include the texts of the doctor. */
type DoctorSpeech = Pick<ErrorTexts, 'errorText'> & Pick<Speech<'host'>, 'say' | 'locale'>;

type DoctorWords = SharedWords['doctor'];

const keyOf = <Group extends keyof DoctorWords>(group: Group, name: string & keyof DoctorWords[Group]): string =>
  `doctor.${group}.${name}`;

export const foundText = ({ word, values }: Found, { say, locale }: Omit<DoctorSpeech, 'errorText'>): string =>
  say(keyOf('found', word), 'bytes' in values ? { size: formatSize(Number(values.bytes), locale) } : values);

/** Returns `check` in words. `todo`: what the user can do about an error; empty if there is none. */
export const speakCheck = ({ check, host, state, found, error }: DoctorCheck, speech: DoctorSpeech) => {
  const { say, errorText } = speech;
  const name = say(keyOf('check', check));
  const wrong = error && errorText(error);
  return {
    check: host === undefined ? name : say('doctor.of', { check: name, host }),
    verdict: say(keyOf('state', state)),
    found: wrong ? `${wrong.title} (${error.code})` : found ? foundText(found, speech) : '',
    todo: wrong?.todo ?? '',
  };
};

export const crashText = ({ atMs, sizeBytes }: CrashDump, { say, locale }: Omit<DoctorSpeech, 'errorText'>): string =>
  say('doctor.crashDump', { at: new Date(atMs).toISOString(), size: formatSize(sizeBytes, locale) });

/** Returns the whole report as text in the language of `speech`, for support. */
export const reportText = (report: DoctorReport, speech: DoctorSpeech): string => {
  const { version, node, platform, atMs, checks, crashDumps } = report;
  const lines = checks.map((one) => {
    const { check, verdict, found, todo } = speakCheck(one, speech);
    return `${verdict}  ${check}: ${found} [${one.ms} ms]${todo && `\n    ${todo}`}`;
  });
  return [
    `Inspection Desk ${version}, Node ${node}, ${platform}`,
    new Date(atMs).toISOString(),
    ...lines,
    ...crashDumps.map((one) => crashText(one, speech)),
    '',
  ].join('\n');
};
