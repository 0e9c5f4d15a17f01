import type { Handlers } from '../../../contract/calls.ts';
import type { DraftWarning } from '../../../contract/drafts.ts';
import { isDue } from '../../../contract/hours.ts';
import { type AssignmentSummary, assignmentName, isClosed } from '../../../contract/resources.ts';
import { plainWords } from '../../../contract/search.ts';
import type { Cache } from '../../cache/cache.ts';
import { createMatchIndex } from '../../matching/match-index.ts';
import type { SettingsStore } from '../../settings/settings.ts';
import type { UploadRules } from '../../uploads/engine/uploads.ts';

/** The user's choices for an upload. Absent choices default to the settings. */
export type WantedRules = Omit<NonNullable<Parameters<Handlers['drafts']['start']>[0]>, 'chosen'>;

/**
 * Returns the rules of an upload that starts at `moment`. Upload hours that the organisation sets take precedence over
 * the user's choice, and the user's choice over the settings.
 */
export const uploadRules = (
  { schedule: { notBeforeMs, hours: wanted } = {}, receipt, takesLater = false }: WantedRules,
  settings: Pick<SettingsStore, 'get' | 'managed'>,
  moment: Date,
): UploadRules => {
  const { receipt: usualReceipt = 'none', hours: usual = [] } = settings.get().uploads;
  const format = receipt ?? usualReceipt;
  const rules = { ...(format !== 'none' && { receipt: format }), ...(takesLater && { takesLater }) };
  const hours = settings.managed.includes('uploads.hours') ? usual : (wanted ?? usual);
  if (notBeforeMs === undefined && hours.length === 0) return rules;
  const schedule = { hours, ...(notBeforeMs !== undefined && { notBeforeMs }) };
  return { ...rules, schedule: { ...schedule, overruled: false }, isHeldBack: !isDue(schedule, moment) };
};

// Finds signs that a folder belongs to another assignment, or that the assignment expects no files. Only clear signs
// count, because users learn to ignore false alarms.

export type UploadDoubt = Extract<DraftWarning, { readonly kind: 'status' | 'other-assignment' }>;

/** The maximum number of assignments that one search finds. A street or an id has fewer. */
const MOST_FOUND = 100;

/**
 * Returns the doubts about uploading `folder`, or a file of that name, to an assignment. Uses the offline data of the
 * connection; returns none if the assignment was never read.
 */
export const findUploadDoubts = (
  cache: Pick<Cache, 'assignment' | 'findAssignments'>,
  connectionId: string,
  { folder, AssignmentId }: { readonly folder: string; readonly AssignmentId: string },
): readonly UploadDoubt[] => {
  const target = cache.assignment(connectionId, AssignmentId)?.assignment;
  if (target === undefined) return [];
  const { ids, texts } = searchesFor(folder);
  const known = [
    ...ids.flatMap((id) => cache.assignment(connectionId, id)?.assignment ?? []),
    ...[...texts, ...ids].flatMap(
      (text) => cache.findAssignments(connectionId, text, { offset: 0, limit: MOST_FOUND }).Items,
    ),
  ];
  return uploadDoubts(folder, target, known);
};

/**
 * Returns the doubts about uploading `folder` to `target`. `others`: assignments that the folder's name may refer to.
 */
const uploadDoubts = (
  folder: string,
  target: AssignmentSummary,
  others: readonly AssignmentSummary[],
): readonly UploadDoubt[] => {
  const { AssignmentStatus } = target;
  const other = otherAssignment(folder, target, others);
  return [
    ...(isClosed(AssignmentStatus) ? [{ kind: 'status', AssignmentStatus } as const] : []),
    ...(other === undefined ? [] : [other]),
  ];
};

const otherAssignment = (
  folder: string,
  target: AssignmentSummary,
  others: readonly AssignmentSummary[],
): UploadDoubt | undefined => {
  const { best, isClear, candidates } = createMatchIndex([target, ...others]).match({ path: folder });
  if (!isClear || best === undefined || best.AssignmentId === target.AssignmentId) return undefined;
  const other = others.find(({ AssignmentId }) => AssignmentId === best.AssignmentId);
  const { reasons = [] } = candidates.find(({ AssignmentId }) => AssignmentId === best.AssignmentId) ?? {};
  const found = reasons.flatMap(({ signal, against }) =>
    against || other === undefined ? [] : (saidBy(other, signal) ?? []),
  )[0];
  if (other === undefined || found === undefined) return undefined;
  return {
    kind: 'other-assignment',
    AssignmentId: other.AssignmentId,
    name: assignmentName(other) || other.AssignmentId,
    found,
  };
};

const saidBy = ({ AssignmentId, FacilityId, Address }: AssignmentSummary, signal: string): string | undefined =>
  signal === 'assignment-id'
    ? AssignmentId
    : signal === 'facility-id'
      ? FacilityId
      : signal === 'address'
        ? Address
        : undefined;

const SHORTEST_ID = 6;
/** The maximum number of ids, and of texts, to search for. Names contain few numbers. */
const MOST = 24;

/**
 * Returns searches that find candidates among the known assignments, so that not all of them have to be read. `texts`:
 * each number in the name with one and two words before it, and with one and two words after it. `ids`: everything that
 * may be an id.
 */
const searchesFor = (folder: string): { readonly ids: readonly string[]; readonly texts: readonly string[] } => {
  const hasDigit = (word: string): boolean => /\p{N}/u.test(word);
  const words = plainWords(folder);
  const texts = words.flatMap((word, at) => {
    if (!hasDigit(word)) return [];
    const before = words.slice(0, at).findLastIndex(hasDigit) + 1;
    const after = words.slice(at + 1).findIndex(hasDigit);
    const left = words.slice(before, at);
    const right = words.slice(at + 1, after < 0 ? undefined : at + 1 + after);
    return [left.slice(-1), left.slice(-2), right.slice(0, 1), right.slice(0, 2)]
      .filter(({ length }) => length > 0)
      .map((beside) => `${beside.join(' ')} ${word}`);
  });
  const ids = folder.match(/[\p{L}\p{N}._-]+/gu)?.filter((part) => part.length >= SHORTEST_ID && hasDigit(part)) ?? [];
  return { ids: [...new Set(ids)].slice(0, MOST), texts: [...new Set(texts)].slice(0, MOST) };
};
