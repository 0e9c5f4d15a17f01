/** Arguments that are refused, in the language of the person who typed them. */
import type { CommanderError } from 'commander';
import { DeskError, type ErrorDetails } from '../../../../contract/errors.ts';
import english from '../../../../words/en/cli.json' with { type: 'json' };
import type { Speech } from '../../../../words/speech.ts';

export type Translate = Speech<'host'>['t'];

/** `message` is English, as JSON has it; `words` are for people. */
export class Refusal extends DeskError {
  readonly words: (t: Translate) => string;

  constructor(message: string, words: (t: Translate) => string, details: ErrorDetails = {}) {
    super('input/invalid', message, { details });
    this.words = words;
  }
}

/** Scripts read English, whatever the language. */
const { help } = english;

/** What is refused although each of its arguments is right. */
export const usage = (key: keyof typeof help.usage): Refusal =>
  new Refusal(help.usage[key], (t) => t(`help.usage.${key}`));

/** What the parser refuses. It gives the names in its message only, in quotes. */
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

const reasons = [
  ...(['page', 'positive', 'concurrency', 'limitRate', 'hash', 'level', 'probability'] as const),
  ...(['nameTemplate', 'at', 'hours'] as const),
];

const reasonIn = (message: string, t: Translate): string => {
  const choices = /Allowed choices are (.*)\.$/.exec(message)?.[1];
  if (choices !== undefined) return t('help.choices', { choices });
  const reason = reasons.find((key) => message.endsWith(help.reason[key]));
  return reason === undefined ? '' : t(`help.reason.${reason}`);
};
