import { t } from '../../words/words.ts';
import { codeWords } from '../code-words.ts';

/** What is known of a severity. The interface neither lists its values nor orders them. */
export type SeverityLevel = 'critical' | 'high' | 'medium' | 'unknown' | 'low' | 'info' | 'none';

/**
 * The words for each level in the app's languages, worst level first. A value is looked up as a whole: "not critical" contains
 * a known word and means something else. Words with two readings ("normal") and numbers, whose scale the interface does not
 * give, stay unknown. Unknown values come after medium ones: they may mean anything, so they are neither alarming nor hidden.
 */
const words: Readonly<Record<SeverityLevel, string>> = {
  critical: `critical, urgent, severe, danger, dangerous, emergency, very high,
    kritisk, kritiskt, kritiska, akut, brådskande, fara, farlig, farligt, mycket hög, mycket allvarlig,
    kritisch, kritische, kritischer, kritisches, dringend, gefahr, gefährlich, sehr hoch, sehr hohe, sehr hohes`,
  high: `high, serious, major, fail, failed,
    hög, högt, höga, allvarlig, allvarligt, allvarliga, stor, stort, underkänd, underkänt,
    hoch, hohe, hoher, hohes, schwer, schwere, schwerer, schweres, schwerwiegend, ernst, erheblich, nicht bestanden`,
  medium: `medium, moderate, warn, warning,
    medel, medelhög, medelhögt, medelstor, måttlig, måttligt, måttliga, varning,
    mittel, mittlere, mittlerer, mittleres, mäßig, mäßige, mäßiger, mäßiges, moderat, warnung`,
  unknown: '',
  low: `low, minor, slight, very low,
    låg, lågt, låga, liten, litet, mindre, ringa, lindrig, lindrigt, mycket låg,
    niedrig, niedrige, niedriger, niedriges, gering, geringe, geringer, geringes, geringfügig, leicht, leichte, leichter, leichtes, sehr gering`,
  info: `info, information, informational, note, notice, observation,
    upplysning, notering, notis,
    hinweis, notiz, beobachtung`,
  none: `none, no, ok, okay, pass, passed, n/a, not applicable,
    ingen, inga, inget, godkänd, godkänt, utan anmärkning,
    kein, keine, keiner, keines, bestanden, in ordnung, ohne befund`,
};

const levels = Object.keys(words) as SeverityLevel[];

const levelOf = new Map(
  levels
    .flatMap((level) => words[level].split(',').map((word) => [word.trim(), level] as const))
    .filter(([word]) => word),
);

/** What a value may say beside its level: "High severity", "RISK_HIGH", "Hög risk", "Priorität: hoch". */
const graded =
  /(?<!\p{L})(?:severity|risk|priority|level|grade|allvarlighetsgrad|prioritet|nivå|grad|schweregrad|risiko|priorität|stufe)(?!\p{L})/gu;

/** A value with what is no part of its level removed. */
const bare = (severity: string): string => {
  const spaced = severity
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[_\s:-]+/g, ' ');
  return spaced.replaceAll(graded, ' ').replaceAll(/\s+/g, ' ').trim();
};

/** The level of `severity` for its icon, colour and order; its own text is always shown beside them. */
export const severityLevel = (severity: string): SeverityLevel => levelOf.get(bare(severity)) ?? 'unknown';

/** For sorting: the worst severity has the smallest number. */
const severityRank = (severity: string): number => levels.indexOf(severityLevel(severity));

/** `items` with the worst severity first, otherwise in their order. */
export const worstFirst = <T>(items: readonly T[], severityOf: (item: T) => string): readonly T[] =>
  items.toSorted((a, b) => severityRank(severityOf(a)) - severityRank(severityOf(b)));

/** Whether `severity` asks for action: it is at least low, or unknown. */
export const asksForAction = (severity: string): boolean =>
  severity.trim() !== '' && severityRank(severity) <= levels.indexOf('low');

/** A severity in the service's own words. */
export const severityName = (severity: string): string => codeWords(severity) || t('protocol.noSeverity');
