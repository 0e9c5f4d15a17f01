import {
  ArrowCircleDown16Regular,
  ArrowCircleUp16Filled,
  CheckmarkCircle16Regular,
  ErrorCircle16Filled,
  Info16Regular,
  Tag16Regular,
  Warning16Filled,
} from '@fluentui/react-icons';
import { TextBadge, type TextBadgeProps } from '../ui/text-badge.tsx';
import { t } from '../words/words.ts';
import { codeWords } from './texts.tsx';

/** The levels that a severity is mapped to. The API defines neither the severities nor their order. */
type SeverityLevel = 'critical' | 'high' | 'medium' | 'unknown' | 'low' | 'info' | 'none';

/**
 * The words for each level in the app's languages, worst level first. A severity has to match a word completely,
 * because "not critical" contains a known word but has another meaning. Ambiguous words such as "normal" are unknown,
 * and so are numbers, whose scale the API does not define. Unknown severities come after medium ones. They can have any
 * meaning, so they are neither alarming nor hidden.
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

/**
 * Words that can accompany the level in a severity, such as in "High severity", "RISK_HIGH", "Hög risk", "Priorität:
 * hoch".
 */
const graded =
  /(?<!\p{L})(?:severity|risk|priority|level|grade|allvarlighetsgrad|prioritet|nivå|grad|schweregrad|risiko|priorität|stufe)(?!\p{L})/gu;

const bare = (severity: string): string => {
  const spaced = severity
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[_\s:-]+/g, ' ');
  return spaced.replaceAll(graded, ' ').replaceAll(/\s+/g, ' ').trim();
};

/** Returns the level of `severity`, which determines its icon, colour and order. */
export const severityLevel = (severity: string): SeverityLevel => levelOf.get(bare(severity)) ?? 'unknown';

const severityRank = (severity: string): number => levels.indexOf(severityLevel(severity));

/** Sorts `items` by severity, the worst first. Items of the same level keep their order. */
export const worstFirst = <T,>(items: readonly T[], severityOf: (item: T) => string): readonly T[] =>
  items.toSorted((a, b) => severityRank(severityOf(a)) - severityRank(severityOf(b)));

/** Whether `severity` requires action: it is not empty, and its level is neither `info` nor `none`. */
export const asksForAction = (severity: string): boolean =>
  severity.trim() !== '' && severityRank(severity) <= levels.indexOf('low');

export const severityName = (severity: string): string => codeWords(severity) || t('protocol.noSeverity');

/** The look of each level. Each has its own icon, so that the colour is never the only difference. */
export const severityLooks: Readonly<Record<SeverityLevel, Required<Pick<TextBadgeProps, 'color' | 'Icon'>>>> = {
  critical: { Icon: ErrorCircle16Filled, color: 'danger' },
  high: { Icon: ArrowCircleUp16Filled, color: 'severe' },
  medium: { Icon: Warning16Filled, color: 'warning' },
  unknown: { Icon: Tag16Regular, color: 'informative' },
  low: { Icon: ArrowCircleDown16Regular, color: 'informative' },
  info: { Icon: Info16Regular, color: 'informative' },
  none: { Icon: CheckmarkCircle16Regular, color: 'success' },
};

export const SeverityBadge = ({ severity }: { readonly severity: string }) => (
  <TextBadge text={severityName(severity)} {...severityLooks[severityLevel(severity)]} size="large" />
);
