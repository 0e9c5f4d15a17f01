import { t } from '../../words/words.ts';
import { codeWords } from '../code-words.ts';

/** The level of a severity. The interface does not list its values, so they are searched for known words. */
export type SeverityLevel = 'high' | 'medium' | 'low' | 'none' | 'unknown';

/** Worst first. */
const words: readonly (readonly [SeverityLevel, RegExp])[] = [
  ['high', /crit|danger|urgent|severe/i],
  ['high', /high|serious|major|fail/i],
  ['medium', /medium|moderate|normal|warn/i],
  ['low', /low|minor|slight/i],
  ['low', /info|note|observ/i],
  ['none', /^(none|no|ok|pass(ed)?|n\/?a|0)$/i],
];

const positionOf = (severity: string): number => words.findIndex(([, pattern]) => pattern.test(severity.trim()));

/** The level of `severity` for its icon and colour; its own text is always shown beside them. */
export const severityLevel = (severity: string): SeverityLevel => words[positionOf(severity)]?.[0] ?? 'unknown';

const lowRank = 3;
/** After what is known to be medium, before what is known to be low. */
const unknownRank = lowRank - 0.5;

/** For sorting: the worst severity has the smallest number. */
const severityRank = (severity: string): number => {
  const position = positionOf(severity);
  return position === -1 ? unknownRank : position;
};

/** `items` with the worst severity first, otherwise in their order. */
export const worstFirst = <T>(items: readonly T[], severityOf: (item: T) => string): readonly T[] =>
  items.toSorted((a, b) => severityRank(severityOf(a)) - severityRank(severityOf(b)));

/** Whether `severity` asks for action: it is at least low. A word that is not known may mean anything, so it does. */
export const asksForAction = (severity: string): boolean => severity.trim() !== '' && severityRank(severity) <= lowRank;

/** A severity in the service's own words. */
export const severityName = (severity: string): string => codeWords(severity) || t('protocol.noSeverity');
