// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { OutboxEntry } from '../../../contract/offline.ts';
import { emptySnapshot } from '../../testing/fake-bridge.ts';
import { renderPage } from '../../testing/render-page.tsx';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { ChangePanel } from './panels.tsx';

speakEnglish();

it('lists a few changes, the rejected ones first, and the others on request, with the focus on the next', async () => {
  const error = { code: 'service/forbidden', message: '', retry: 'never', details: {} } as const;
  const outbox = Array.from({ length: 20 }, (_, id): OutboxEntry => {
    const change = {
      id,
      AssignmentId: `a${id}`,
      createdAtMs: id,
      kind: 'plan-after',
      PlanAfter: 1_800_000_000,
    } as const;
    return id === 19 ? { ...change, error } : change;
  });
  await renderPage(<ChangePanel onSent={() => {}} />, { app: { snapshot: () => ({ ...emptySnapshot, outbox }) } });
  const names = () => screen.getAllByRole('listitem').map((item) => item.querySelector('button')?.title);
  const nameOf = (id: number) => expect.stringContaining(`a${id}`);
  expect(names()).toEqual([19, 0, 1, 2].map(nameOf));
  fireEvent.click(screen.getByRole('button', { name: 'Show 16 more' }));
  expect(names()).toHaveLength(20);
  expect(document.activeElement).toBe(screen.getAllByRole('listitem')[4]?.querySelector('button'));
  expect(screen.queryByRole('button', { name: /^Show/ })).toBeNull();
});
