/** What has changed in the files of an upload on this computer, as far as they were compared. */
import type { Verdict, VerifiedFile, VerifiedPart } from '../../../contract/uploads.ts';
import { t } from '../../words/words.ts';

type Difference = Exclude<Verdict, 'same'>;

export type Verification = {
  readonly done: number;
  readonly counts: Readonly<Record<Verdict, number>>;
  /** The first files that differ. */
  readonly differing: readonly VerifiedFile[];
};

/** More than anyone reads. */
const mostListed = 10_000;

export const nothingVerified: Verification = {
  done: 0,
  counts: { same: 0, changed: 0, missing: 0, unreadable: 0, 'not-uploaded': 0, removed: 0 },
  differing: [],
};

export const withPart = ({ done, counts, differing }: Verification, { files }: VerifiedPart): Verification => {
  const added = { ...counts };
  for (const { verdict } of files) added[verdict] += 1;
  const others = files
    .filter(({ verdict }) => verdict !== 'same' && verdict !== 'removed')
    .slice(0, mostListed - differing.length);
  return {
    done: done + files.length,
    counts: added,
    differing: others.length === 0 ? differing : [...differing, ...others],
  };
};

/** How many files differ. Those that were removed from the assignment have nothing to differ from. */
export const differingCount = ({ done, counts }: Verification): number => done - counts.same - counts.removed;

const countOf = (verdict: Difference, count: number): string => {
  switch (verdict) {
    case 'changed':
      return t('uploads.verify.changed', { count });
    case 'missing':
      return t('uploads.verify.missing', { count });
    case 'unreadable':
      return t('uploads.verify.unreadable', { count });
    case 'not-uploaded':
      return t('uploads.verify.notUploaded', { count });
    case 'removed':
      return t('uploads.verify.removed', { count });
  }
};

const differences: readonly Difference[] = ['changed', 'missing', 'unreadable', 'not-uploaded', 'removed'];

/** The result in words, such as "298 of 300 files unchanged. 1 changed, 1 missing." */
export const verificationText = (verification: Verification): string => {
  const { done, counts } = verification;
  if (counts.same === done) return t('uploads.verify.allSame', { count: done });
  const others = differences
    .filter((verdict) => counts[verdict] > 0)
    .map((verdict) => countOf(verdict, counts[verdict]));
  const same = t('uploads.verify.same', { same: counts.same, count: done });
  return `${same} ${others.join(', ')}.`;
};

export const verdictName = (verdict: Verdict): string =>
  t(`uploads.verdict.${verdict === 'not-uploaded' ? 'notUploaded' : verdict}`);
