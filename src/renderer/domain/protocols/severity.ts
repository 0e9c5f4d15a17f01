import { t } from '../../words/words.ts';
import { codeWords } from '../code-words.ts';

/** How grave a severity is. The interface does not list its values, so known words are looked for in them. */
export type Gravity = 'grave' | 'moderate' | 'slight' | 'none' | 'unknown';

const words: readonly (readonly [Gravity, RegExp])[] = [
  ['none', /^(none|no|ok|pass(ed)?|n\/?a|0)$/i],
  ['grave', /crit|high|severe|serious|major|danger|urgent|fail/i],
  ['moderate', /medium|moderate|normal|warn/i],
  ['slight', /low|minor|slight|info|note|observ/i],
];

/** The gravity of `severity` for its icon and colour; its own text is always shown beside them. */
export const gravityOf = (severity: string): Gravity =>
  words.find(([, pattern]) => pattern.test(severity.trim()))?.[0] ?? 'unknown';

/** A severity in words: the service's own. */
export const severityName = (severity: string): string => codeWords(severity) || t('protocol.noSeverity');
