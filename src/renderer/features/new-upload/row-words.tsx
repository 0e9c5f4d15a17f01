/** Describes a row of the draft: how certain its assignment is, why, and what the user should check. */

import {
  ArrowForward16Regular,
  CheckmarkCircle16Regular,
  DocumentTable16Regular,
  Person16Regular,
  Question16Regular,
  SubtractCircle16Regular,
} from '@fluentui/react-icons';
import { compact } from 'es-toolkit';
import {
  type Draft,
  type DraftCandidate,
  type DraftRow,
  type DraftWarning,
  type MatchReason,
  type MatchSignal,
  MIN_CERTAINTY,
} from '../../../contract/drafts.ts';
import { type AssignmentSummary, assignmentName } from '../../../contract/resources.ts';
import { visibleText } from '../../../contract/text.ts';
import { assignmentParts, statusName } from '../../domain/assignments/assignments.tsx';
import { addressOf } from '../../domain/texts.tsx';
import { leftOutText } from '../../domain/uploads/batches.tsx';
import { TextBadge, type TextBadgeProps } from '../../ui/text-badge.tsx';
import { formatBytes, formatTimeLeft } from '../../words/amounts.ts';
import { formatDay } from '../../words/dates.ts';
import { keyOf, t } from '../../words/words.ts';

/** How certain an assignment is, who chose it (the user or a map file), or that the row is left out. */
type Certainty = 'certain' | 'likely' | 'unsure' | 'none' | 'person' | 'map' | 'leftOut';

const LIKELY = 0.7;

/** Returns the word for a probability. */
export const certaintyOf = (certainty: number | undefined): Certainty => {
  if (certainty === undefined || certainty === 0) return 'none';
  if (certainty >= MIN_CERTAINTY) return 'certain';
  return certainty >= LIKELY ? 'likely' : 'unsure';
};

/** Returns the certainty of a row, who chose its assignment, or that it is left out. */
export const rowCertainty = ({ choice, chosenBy, certainty }: DraftRow): Certainty => {
  if (choice === 'left-out') return 'leftOut';
  if (choice === 'assignment' && (chosenBy === 'person' || chosenBy === 'map')) return chosenBy;
  return certaintyOf(certainty);
};

export const certaintyName = (certainty: Certainty): string => t(`newUpload.certainty.${certainty}`);

/** Signals that are reasons to ask the user, even if an assignment fits well. */
const questions = [
  'unread-here',
  'unread',
  'unread-list',
  'characters',
  'best-status',
] as const satisfies readonly MatchSignal[];

type Question = (typeof questions)[number];

const isQuestion = (signal: MatchSignal): signal is Question => questions.some((question) => question === signal);

/** Whether a reason speaks for an assignment or against it; undefined for a reason to ask the user. */
export const speaksFor = ({ signal, against, atMs }: MatchReason): boolean | undefined =>
  isQuestion(signal) && atMs === undefined ? undefined : against !== true;

/** Returns a reason as a sentence, such as: “Elveveien 97” is its address. */
export const reasonText = ({ signal, found, against, count = 0, atMs }: MatchReason): string => {
  if (atMs !== undefined && against !== true) return t('newUpload.reason.confirmedOn', { at: formatDay(atMs), found });
  if (isQuestion(signal))
    return t(`newUpload.question.${keyOf(signal)}`, {
      found: signal === 'best-status' ? statusName(found) : found,
      count,
    });
  return against === true
    ? t(`newUpload.against.${keyOf(signal)}`, { found })
    : t(`newUpload.reason.${keyOf(signal)}`, { found });
};

/** Returns the name of the assignment of a row or of a candidate; empty without an assignment. */
export const targetText = ({
  AssignmentId,
  assignment,
}: Pick<DraftCandidate, 'assignment'> & { readonly AssignmentId?: string | undefined }): string =>
  (assignment && assignmentName(assignment)) || (AssignmentId ? t('newUpload.row.unknown', { id: AssignmentId }) : '');

/** Returns one text with the name of a row's assignment, if it has one, and its `rowReasons`. */
export const whyText = (row: DraftRow): string => {
  const target = targetText(row);
  return [...(target === '' ? [] : [`${target}.`]), ...rowReasons(row)].join(' ');
};

/** Returns the address of an assignment with its city. */
export const placeText = (assignment: AssignmentSummary): string =>
  compact([addressOf(assignment), assignment.City]).join(', ');

/** Describes an assignment in two lines: its address; its customer, day, performer and status. */
export const assignmentLines = (
  assignment: AssignmentSummary,
): { readonly place: string; readonly detail: string } => ({
  place: placeText(assignment),
  detail: assignmentParts(assignment).filter(Boolean).join(' · '),
});

export const warningName = ({ kind }: DraftWarning): string => t(`newUpload.badge.${kind}`);

/** Returns a warning as a sentence. */
export const warningText = (warning: DraftWarning): string => {
  if (warning.kind === 'status') return t('newUpload.warning.status', { status: statusName(warning.AssignmentStatus) });
  if (warning.kind === 'other-assignment')
    return t('newUpload.warning.otherAssignment', { found: warning.found, name: warning.name });
  return t(`newUpload.warning.${keyOf(warning.kind)}`, { count: warning.files });
};

/**
 * Returns the name of a row's folder; for loose files, the name of the first file and the number of further ones.
 * Misleading characters are shown by their code points.
 */
export const rowName = ({ path, name, fileNames, files }: DraftRow): string => {
  // Converts the whole path, because a letter is suspicious only among letters of another script.
  const last = (text: string): string => visibleText(text).split('/').at(-1) ?? name;
  const first = fileNames?.[0] === undefined ? undefined : last(`${path}/${fileNames[0]}`);
  if (first === undefined) return last(path);
  return files > 1 ? t('newUpload.row.loose', { first, count: files - 1 }) : first;
};

/**
 * Returns the path of the parent folder of a row; for loose files, that of the folder that contains them; empty if the
 * folder itself was chosen.
 */
export const parentOf = ({ path: written, fileNames }: DraftRow): string => {
  const path = visibleText(written);
  return fileNames === undefined ? path.slice(0, Math.max(0, path.lastIndexOf('/'))) : path;
};

/** Whether a row has neither files to upload nor unreadable ones. Including such a row would change nothing. */
export const isEmptyRow = ({ files, warnings }: DraftRow): boolean =>
  files === 0 && warnings.every(({ kind }) => kind !== 'unreadable');

/** Says when the user left out a folder in an earlier upload. */
export const leftOutOn = (atMs: number): string => t('newUpload.row.leftOutOn', { at: formatDay(atMs) });

/**
 * Explains a row in sentences: when the user left it out of an earlier upload, what speaks for and against its
 * assignment, and its warnings.
 */
export const rowReasons = (row: DraftRow): readonly string[] => [
  ...(row.leftOutAtMs === undefined ? [] : [leftOutOn(row.leftOutAtMs)]),
  ...row.reasons.map(reasonText),
  ...row.warnings.map(warningText),
];

const isPartly = ({ sent, leftOut }: Pick<DraftRow, 'sent' | 'leftOut'>): boolean => sent.files + leftOut.files > 0;

/**
 * Says in two lines how much of a folder an upload would send, such as "61 new" and "1,371 already sent"; if nothing
 * was sent before, "61 files" and "2 left out". If the upload would send all of it, the number and the size of the
 * files.
 */
export const amountLines = (row: DraftRow): { readonly first: string; readonly second: string } => {
  const { files, toSend, sent, leftOut } = row;
  if (!isPartly(row)) return { first: t('count.file', { count: files }), second: formatBytes(row.bytes) };
  if (sent.files === 0)
    return {
      first: t('count.file', { count: toSend.files }),
      second: t('newUpload.amount.leftOut', { count: leftOut.files }),
    };
  return {
    first: toSend.files === 0 ? t('newUpload.amount.nothing') : t('newUpload.amount.short', { count: toSend.files }),
    second: t('newUpload.amount.sent', { count: sent.files }),
  };
};

type Counted = Pick<Draft, 'toSend' | 'sent' | 'clashes' | 'leftOutFiles'>;

/**
 * Says how many files an upload would send and would not send, with their sizes, and how many have a name that is
 * taken, such as "61 new files, 12 MB · 1,371 already sent, 3.1 GB".
 */
export const amountsText = ({ toSend, sent, clashes, leftOutFiles }: Counted): string => {
  const sized = (text: string, bytes: number): string => (bytes === 0 ? text : `${text}, ${formatBytes(bytes)}`);
  return compact([
    toSend.files > 0 && sized(t('newUpload.amount.new', { count: toSend.files }), toSend.bytes),
    sent.files > 0 && sized(t('newUpload.amount.sent', { count: sent.files }), sent.bytes),
    clashes > 0 && t('newUpload.amount.clash', { count: clashes }),
    leftOutFiles.files > 0 && sized(t('newUpload.amount.leftOut', { count: leftOutFiles.files }), leftOutFiles.bytes),
  ]).join(' · ');
};

export const countsOfRow = ({ toSend, sent, leftOut, warnings }: DraftRow): Counted => ({
  toSend: { folders: 1, assignments: 1, ...toSend },
  sent,
  leftOutFiles: leftOut,
  clashes: warnings.reduce((sum, one) => (one.kind === 'clash' ? sum + one.files : sum), 0),
});

/**
 * Sums up what an upload would send, such as "12 folders, 61 new files, 12 MB to 12 assignments", or says that it would
 * send nothing.
 */
export const sumText = ({ chosen, toSend }: Draft): string =>
  toSend.files === 0
    ? t(chosen.files === 0 ? 'newUpload.start.nothing' : 'newUpload.start.nothingNew')
    : t('newUpload.start.sum', {
        folders: t('count.folder', { count: toSend.folders }),
        files:
          toSend.files < chosen.files
            ? t('newUpload.amount.new', { count: toSend.files })
            : t('count.file', { count: toSend.files }),
        size: formatBytes(toSend.bytes),
        assignments: t('count.assignment', { count: toSend.assignments }),
      });

/** Says how many folders have no assignment yet; empty if there are none, or until matching is complete. */
export const undecidedText = ({ phase, counts }: Pick<Draft, 'phase' | 'counts'>): string =>
  phase === 'ready' && counts.undecided > 0 ? `${t('newUpload.start.undecided', { count: counts.undecided })}.` : '';

/**
 * Says how many files were sent before, have a name that is taken, or are left out, and whether comparisons are still
 * in progress.
 */
export const restText = (
  draft: Pick<Draft, 'phase' | 'isComparing' | 'leftOut' | 'comparing' | 'sent' | 'clashes' | 'leftOutFiles'>,
): string => {
  const { phase, isComparing, leftOut, comparing } = draft;
  const left = leftOutText(leftOut);
  const amounts = amountsText({ ...draft, toSend: { folders: 0, files: 0, bytes: 0, assignments: 0 } });
  return compact([
    amounts !== '' && `${amounts}.`,
    phase === 'ready' && comparing > 0 && `${t('newUpload.start.asking', { count: comparing })}.`,
    isComparing && t('newUpload.start.comparing'),
    left !== '' && `${t('newUpload.start.leftOut', { what: left })}.`,
  ]).join(' ');
};

/** `onePieceText` mentions a file if its upload takes at least this many seconds. */
const LONG_S = 300;
/** `onePieceText` mentions a file of at least this size if the speed of uploads is unknown. */
const LARGE_BYTES = 1_000_000_000;

/**
 * Says that a large file is sent in one piece and therefore starts over after an interruption. Empty if its upload is
 * short. `bytesPerSecond`: the speed of recent uploads, if it is known.
 */
export const onePieceText = (
  { name, sizeBytes }: NonNullable<Draft['inOnePiece']>,
  bytesPerSecond: number | undefined,
): string => {
  const size = formatBytes(sizeBytes);
  if (bytesPerSecond === undefined)
    return sizeBytes < LARGE_BYTES ? '' : t('newUpload.start.inOnePiece', { name, size });
  const time = formatTimeLeft(sizeBytes, bytesPerSecond) ?? '';
  return sizeBytes / bytesPerSecond < LONG_S ? '' : t('newUpload.start.inOnePieceTimed', { name, size, time });
};

/** Names the chosen folders, such as "Jobs 2026 and 2 more". */
export const namesText = ({ names }: Pick<Draft, 'names'>): string => {
  const [first = '', ...others] = names;
  return others.length === 0 ? first : t('newUpload.of', { first, count: others.length });
};

const looks: Readonly<Record<Certainty, Pick<TextBadgeProps, 'color' | 'Icon'>>> = {
  certain: { color: 'success', Icon: CheckmarkCircle16Regular },
  likely: { color: 'warning', Icon: ArrowForward16Regular },
  unsure: { color: 'warning', Icon: Question16Regular },
  none: { color: 'danger', Icon: Question16Regular },
  person: { color: 'brand', Icon: Person16Regular },
  map: { color: 'brand', Icon: DocumentTable16Regular },
  leftOut: { color: 'informative', Icon: SubtractCircle16Regular },
};

type CertaintyBadgeProps = {
  readonly certainty: Certainty;
  readonly reasons?: readonly string[];
};

/** Shows in a word or two how certain an assignment is. */
export const CertaintyBadge = ({ certainty, reasons = [] }: CertaintyBadgeProps) => {
  const text = certaintyName(certainty);
  return <TextBadge text={text} title={[text, ...reasons].join('\n')} {...looks[certainty]} />;
};
