import type { MatchingRule } from '../../contract/drafts.ts';
import { useCalls } from './provider.tsx';
import { type Answer, useAnswerQuery } from './use-answer-query.ts';

/** More than people look through: the last confirmed are shown. */
const SHOWN_RULES = 1_000;

/** The matching rules, the last confirmed first. */
export const useRules = (): Answer<{ readonly rules: readonly MatchingRule[]; readonly total: number }> =>
  useAnswerQuery(useCalls().rules.list({ limit: SHOWN_RULES }));
