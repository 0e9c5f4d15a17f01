import { t } from '../../words/words.ts';
import { codeWords } from '../code-words.ts';

/** The level of a severity. The interface does not list its values, so they are searched for known words. */
export type SeverityLevel = 'high' | 'medium' | 'low' | 'none' | 'unknown';

const words: readonly (readonly [SeverityLevel, RegExp])[] = [
  ['none', /^(none|no|ok|pass(ed)?|n\/?a|0)$/i],
  ['high', /crit|high|severe|serious|major|danger|urgent|fail/i],
  ['medium', /medium|moderate|normal|warn/i],
  ['low', /low|minor|slight|info|note|observ/i],
];

/** The level of `severity` for its icon and colour; its own text is always shown beside them. */
export const severityLevel = (severity: string): SeverityLevel =>
  words.find(([, pattern]) => pattern.test(severity.trim()))?.[0] ?? 'unknown';

/** A severity in the service's own words. */
export const severityName = (severity: string): string => codeWords(severity) || t('protocol.noSeverity');
