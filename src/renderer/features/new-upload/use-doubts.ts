import { compact, uniqBy } from 'es-toolkit';
import type { Draft, DraftRow, DraftWarning } from '../../../contract/drafts.ts';
import { statusName } from '../../domain/assignments/status-badge.tsx';
import { useDraftProblems } from '../../queries/drafts.ts';
import { t } from '../../words/words.ts';
import { rowName } from './row-words.ts';

type Doubt = { readonly title: string; readonly text: string };

const doubtOf = (row: DraftRow, warning: DraftWarning): Doubt | undefined => {
  if (warning.kind === 'status')
    return {
      title: t('newUpload.doubt.status', { status: statusName(warning.AssignmentStatus) }),
      text: t('newUpload.doubt.statusTodo'),
    };
  if (warning.kind === 'other-assignment')
    return {
      title: t('newUpload.doubt.other', { folder: rowName(row) }),
      text: t('newUpload.doubt.otherTodo', { found: warning.found, name: warning.name }),
    };
  return undefined;
};

const NONE: readonly Doubt[] = [];

/**
 * What speaks against the one assignment that everything goes to, in words; undefined until that is known. Where each folder
 * has its own, its row says so.
 */
export const useDoubts = ({ AssignmentId, isComparing, counts }: Draft): readonly Doubt[] | undefined => {
  const isAsked = AssignmentId !== undefined && counts.problems > 0;
  const rows = useDraftProblems(isAsked);
  if (isComparing) return undefined;
  if (!isAsked) return NONE;
  const doubts = rows?.flatMap((row) => compact(row.warnings.map((warning) => doubtOf(row, warning))));
  // A doubt about the status is the same for all folders.
  return doubts && uniqBy(doubts, ({ title, text }) => title + text);
};
