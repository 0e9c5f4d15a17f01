/**
 * The values of options, for commander to call with an option's text. Errors: `InvalidArgumentError` with a reason, which
 * `refusal.ts` translates.
 */
import { InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { JobLevel } from '../../../../contract/drafts.ts';
import { HashBeginning } from '../../../../contract/files.ts';
import { BytesPerSecond } from '../../../../contract/hours.ts';
import { Preferences } from '../../../../contract/preferences.ts';
import { PageNumber } from '../../../../contract/resources.ts';
import { NameTemplate } from '../../../../contract/uploads.ts';
import { help } from '../../../../words/english/host/help.ts';
import { hoursIn, timeIn } from './schedule-options.ts';

type Reason = keyof typeof help.reason;

/** What `read` makes of a text, unless that is undefined: then it is refused. */
const valueBy =
  <T>(read: (text: string) => T | undefined, reason: Reason) =>
  (text: string): T => {
    const value = read(text);
    if (value === undefined) throw new InvalidArgumentError(help.reason[reason]);
    return value;
  };

/** The digits of `text` as a number, other texts as they are: then a schema of numbers refuses them. */
const digits = (text: string): number | string => (/^\d+$/.test(text) ? Number(text) : text);

const wholeNumber = <T>(schema: z.ZodType<T>, reason: Reason) =>
  valueBy((text) => schema.safeParse(digits(text)).data, reason);

/** With 0, every folder would be matched. */
const Probability = z.number().positive().max(1);

export const page = wholeNumber(PageNumber, 'page');
export const level = wholeNumber(JobLevel, 'level');
export const limitRate = wholeNumber(BytesPerSecond, 'limitRate');
export const positive = wholeNumber(z.number().positive(), 'positive');
/** `auto` is a word of its own: commander takes an option whose parser answers nothing for one without a value. */
export const concurrency = wholeNumber(Preferences.shape.concurrency, 'concurrency');
export const probability = valueBy((text) => Probability.safeParse(Number(text)).data, 'probability');
export const hashBeginning = valueBy((text) => HashBeginning.safeParse(text).data, 'hash');
export const nameTemplate = valueBy((text) => NameTemplate.safeParse(text).data, 'nameTemplate');
export const hours = valueBy(hoursIn, 'hours');
export const atTime = valueBy((text) => timeIn(text, new Date()), 'at');
