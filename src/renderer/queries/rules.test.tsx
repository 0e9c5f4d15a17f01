// @vitest-environment happy-dom
import { act, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { createTestWindow } from '../testing/render-query.tsx';
import { sampleBatch } from '../testing/sample-batch.ts';
import { useRules } from './rules.ts';

const { AssignmentId } = sampleBatch;

it('reads the rules again when one was changed, and when one or all were removed', async () => {
  let rules = [1, 2, 3].map((ruleId) => ({ ruleId, name: `house ${ruleId}`, AssignmentId, confirmedAtMs: ruleId }));
  const { render, desk } = await createTestWindow({
    rules: {
      list: () => ({ rules, total: rules.length }),
      set: (change) => {
        rules = rules.map((rule) => (rule.ruleId === change.ruleId ? { ...rule, ...change } : rule));
      },
      remove: ({ ruleIds }) => {
        rules = rules.filter(({ ruleId }) => !ruleIds.includes(ruleId));
      },
      clear: () => {
        rules = [];
      },
    },
  });
  const { result } = render(() => useRules(), undefined);
  await waitFor(() => expect(result.current.value?.total).toBe(3));
  const other = '00000000-0000-4000-8000-0000000000c3';
  await act(async () => desk.rules.set({ ruleId: 3, AssignmentId: other }));
  await waitFor(() => expect(result.current.value?.rules[2]?.AssignmentId).toBe(other));
  await act(async () => desk.rules.remove({ ruleIds: [2] }));
  await waitFor(() => expect(result.current.value?.rules.map(({ ruleId }) => ruleId)).toEqual([1, 3]));
  await act(async () => desk.rules.clear());
  await waitFor(() => expect(result.current.value?.total).toBe(0));
});
