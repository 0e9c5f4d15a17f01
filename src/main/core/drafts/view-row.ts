/** A row as the window shows it: what was chosen for it, how certain that is, and what speaks against sending it. */

import type { DraftRow, DraftWarning, MatchCandidate, MatchReason } from '../../../contract/drafts.ts';
import { type AssignmentSummary, assignmentName, isClosed } from '../../../contract/resources.ts';
import type { MatchIn } from '../../matching/match-index.ts';
import { namesOfRow, type Row } from './rows.ts';

/** What happens to a row, and who says so. */
export type Choice =
  | { readonly choice: 'undecided' }
  | { readonly choice: 'left-out' }
  | {
      readonly choice: 'assignment';
      readonly chosenBy: NonNullable<DraftRow['chosenBy']>;
      readonly AssignmentId: string;
    };

type Shown = {
  readonly row: Row;
  readonly choice: Choice;
  readonly match: MatchIn;
  /** How many of its files could not be opened. */
  readonly refused: number;
  readonly summaryOf: (AssignmentId: string) => AssignmentSummary | undefined;
  /** How certain the row belongs to an assignment that matching may not have proposed. */
  readonly certaintyOf: (AssignmentId: string) => MatchCandidate;
};

export const viewRow = ({ row, choice, match, refused, summaryOf, certaintyOf }: Shown): DraftRow => {
  const { files, bytes } = row.totals;
  const chosen = choice.choice === 'assignment' ? choice.AssignmentId : undefined;
  const [best] = match.candidates;
  const candidate =
    chosen === undefined
      ? best
      : (match.candidates.find(({ AssignmentId }) => AssignmentId === chosen) ?? certaintyOf(chosen));
  const shown = chosen ?? best?.AssignmentId;
  const assignment = shown === undefined ? undefined : summaryOf(shown);
  return {
    rowId: row.rowId,
    ...namesOfRow(row),
    files,
    bytes,
    choice: choice.choice,
    ...(choice.choice === 'assignment' && { chosenBy: choice.chosenBy, AssignmentId: choice.AssignmentId }),
    ...(assignment && { assignment }),
    ...(candidate && { certainty: candidate.certainty }),
    reasons: [...(candidate?.reasons ?? []), ...(chosen === undefined ? vetoesBeside(candidate, match) : [])],
    candidates: match.candidates.length,
    warnings: [
      ...(chosen === undefined ? [] : warningsOfChoice(chosen, match, summaryOf)),
      ...warningsOfFiles(row, refused),
    ],
  };
};

/** Why nothing was chosen, beside what the best candidate itself says. */
const vetoesBeside = (best: MatchCandidate | undefined, { vetoes }: MatchIn): readonly MatchReason[] =>
  vetoes.filter(({ signal }) => !best?.reasons.some((reason) => reason.signal === signal));

/** The name speaks for another assignment only where that fits well enough to be sent there, whatever else there is to ask. */
const warningsOfChoice = (
  chosen: string,
  { isClear, best, candidates }: MatchIn,
  summaryOf: Shown['summaryOf'],
): readonly DraftWarning[] => {
  const status = summaryOf(chosen)?.AssignmentStatus;
  const named = isClear && best?.AssignmentId !== chosen ? best?.AssignmentId : undefined;
  const other = candidates.find(({ AssignmentId }) => AssignmentId === named);
  const summary = other && summaryOf(other.AssignmentId);
  return [
    ...(status !== undefined && isClosed(status) ? [{ kind: 'status', AssignmentStatus: status } as const] : []),
    ...(other
      ? [
          {
            kind: 'other-assignment',
            AssignmentId: other.AssignmentId,
            name: (summary && assignmentName(summary)) || other.AssignmentId,
            found: other.reasons.find(({ against }) => !against)?.found ?? '',
          } as const,
        ]
      : []),
  ];
};

const warningsOfFiles = (row: Row, refused: number): readonly DraftWarning[] => {
  const { empty, tooLong, tooLarge, executable, inCloud } = row.totals;
  const unreadable = row.totals.unreadable + refused;
  const warnings = [
    { kind: 'empty', files: empty },
    { kind: 'unreadable', files: unreadable },
    { kind: 'too-long', files: tooLong },
    { kind: 'too-large', files: tooLarge },
    { kind: 'executable', files: executable },
    { kind: 'in-cloud', files: inCloud },
  ] satisfies readonly DraftWarning[];
  return warnings.filter(({ files }) => files > 0);
};
