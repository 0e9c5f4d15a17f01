// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { DeskError } from '../../../contract/errors.ts';
import type { KnownFile } from '../../../contract/uploads.ts';
import { renderPage } from '../../testing/render-page.tsx';
import { setFormats } from '../../words/formats.ts';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { AssignmentPage, PlanAfter } from './assignment-page.tsx';

speakEnglish();
setFormats({ language: 'system', formats: 'system', dateFormat: 'system', timeBase: 'auto', systemLocale: 'en-GB' });

const earlier = Date.UTC(2099, 0, 4) / 1000;

/**
 * Shows an assignment with the plan-after date `before`, and clears the date. Returns the dates that are sent to main.
 */
const clearDate = async (before: number, waiting = false) => {
  const sent: (number | undefined)[] = [];
  const last = { PlanAfter: before, respondedAtMs: 1_700_000_000_000 };
  await renderPage(<PlanAfter id="a-1" last={last} />, {
    assignments: {
      planAfter: ({ AssignmentId, PlanAfter }) => {
        sent.push(PlanAfter);
        return { AssignmentId, PlanAfter: PlanAfter ?? 0, waiting };
      },
    },
  });
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  const field = screen.getByRole<HTMLInputElement>('textbox');
  expect(field.value).toContain('2099');
  fireEvent.click(screen.getByRole('button', { name: 'Clear date' }));
  await waitFor(() => expect(field.value).toBe(''));
  await waitFor(() => expect(sent).toEqual([undefined]));
  return sent;
};

it('restores the date that a change replaced, once', async () => {
  const sent = await clearDate(earlier);
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  await screen.findByText(/^Saved: plan after .*2099/);
  expect(sent).toEqual([undefined, earlier]);
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('textbox'));
});

it('shows a date that was set elsewhere after the change on the page, and offers no undo of the earlier one', async () => {
  const last = { PlanAfter: earlier, respondedAtMs: 1_700_000_000_000 };
  const { rerender } = await renderPage(<PlanAfter id="a-1" last={last} />, {
    assignments: { planAfter: ({ AssignmentId }) => ({ AssignmentId, PlanAfter: 0, waiting: false }) },
  });
  fireEvent.click(screen.getByRole('button', { name: 'Clear date' }));
  await screen.findByRole('button', { name: 'Undo' });
  rerender(<PlanAfter id="a-1" last={{ PlanAfter: 0, respondedAtMs: last.respondedAtMs + 1 }} />);
  expect(screen.queryByRole('button', { name: 'Undo' })).not.toBeNull();
  rerender(<PlanAfter id="a-1" last={{ PlanAfter: earlier, respondedAtMs: last.respondedAtMs + 2 }} />);
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  expect(screen.getByRole<HTMLInputElement>('textbox').value).toContain('2099');
  expect(screen.getByText(/reported by the service on/).textContent).toContain('2099');
});

it('keeps what is typed while a date is being saved', async () => {
  const saving = Promise.withResolvers<void>();
  await renderPage(<PlanAfter id="a-1" last={undefined} />, {
    assignments: {
      timeUnit: () => 'seconds',
      planAfter: async ({ AssignmentId, PlanAfter = 0 }) => {
        await saving.promise;
        return { AssignmentId, PlanAfter, waiting: false };
      },
    },
  });
  const field = screen.getByRole<HTMLInputElement>('textbox');
  fireEvent.change(field, { target: { value: '2099-01-04 12:30' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save date' }));
  fireEvent.change(field, { target: { value: '2099-01-05' } });
  await act(async () => saving.resolve());
  await screen.findByText(/^Saved: plan after .*2099/);
  expect(field.value).toBe('2099-01-05');
});

it('leaves a change that waits for the service to its own button', async () => {
  await clearDate(earlier, true);
  const clear = screen.getByRole('button', { name: 'Clear date' });
  await waitFor(() => expect(clear.getAttribute('aria-disabled')).not.toBe('true'));
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

/** Shows a date whose change is rejected. `accept` makes the service accept the next change. */
const rejectDate = async () => {
  let isAccepted = false;
  const last = { PlanAfter: earlier, respondedAtMs: 1_700_000_000_000 };
  const { store } = await renderPage(<PlanAfter id="a-1" last={last} />, {
    assignments: {
      planAfter: ({ AssignmentId }) => {
        if (isAccepted) return { AssignmentId, PlanAfter: 0, waiting: false };
        throw new DeskError('service/refused', 'no');
      },
    },
  });
  fireEvent.click(screen.getByRole('button', { name: 'Clear date' }));
  const retry = await screen.findByRole('button', { name: 'Try again' });
  const accept = (): void => {
    isAccepted = true;
  };
  return { retry, store, accept };
};

it('keeps a rejected change until one succeeds', async () => {
  const { retry, store, accept } = await rejectDate();
  // The error is shown next to the value, not in a toast.
  expect(store.getState().reports).toEqual([]);
  fireEvent.click(retry);
  await waitFor(() => expect(retry.getAttribute('aria-disabled')).not.toBe('true'));
  expect(retry.isConnected).toBe(true);
  accept();
  fireEvent.click(retry);
  await waitFor(() => expect(retry.isConnected).toBe(false));
});

it('describes a rejected date by the date', async () => {
  await renderPage(<PlanAfter id="a-1" last={undefined} />, {
    assignments: {
      timeUnit: () => 'seconds' as const,
      planAfter: () => {
        throw new DeskError('service/refused', 'no');
      },
    },
  });
  fireEvent.change(screen.getByRole('textbox'), { target: { value: '2099-01-04 12:30' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save date' }));
  await screen.findByRole('button', { name: 'Try again' });
  expect(screen.getByRole('alert').textContent).toContain('2099');
});

it('forgets a rejected change that is dismissed', async () => {
  const { retry } = await rejectDate();
  fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(retry.isConnected).toBe(false);
});

const summary = {
  AssignmentId: 'a-1',
  FacilityId: 'F',
  AssignmentStatus: 'PENDING',
  FirstName: '',
  LastName: '',
  Address: 'Mill Street 1',
  City: 'York',
  Performer: 'Lift AB',
  StartTime: 1,
};

it('shows the assignment as it was last read, not as it was when the page was opened', async () => {
  await renderPage(<AssignmentPage AssignmentId="a-1" summary={summary} />, {
    assignments: { get: () => ({ assignment: { ...summary, AssignmentStatus: 'DONE' }, fetchedAtMs: 2 }) },
  });
  expect(screen.getByText('Pending')).toBeDefined();
  await screen.findByText('Done');
});

it('is named after its facility if it has no address, as in tables', async () => {
  const withoutAddress = { ...summary, Address: '', FacilityId: 'FAC-24' };
  await renderPage(<AssignmentPage AssignmentId="a-1" summary={withoutAddress} />);
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('FAC-24');
});

const known = { UploadedBy: '', source: 'uploaded-here', addedAtMs: 1 } as const;

it('offers no second removal of a file whose removal is pending, and says so', async () => {
  const files: readonly KnownFile[] = [
    { ...known, Key: 'k-1', FileName: 'roof.jpg', isLeaving: true },
    { ...known, Key: 'k-2', FileName: 'wall.jpg' },
  ];
  await renderPage(<AssignmentPage AssignmentId="a-1" />, { assignments: { knownFiles: () => files } });
  expect(await screen.findAllByText('Removal pending')).toHaveLength(1);
  const isDisabled = (name: string) => screen.getByRole('button', { name }).getAttribute('aria-disabled');
  expect([isDisabled('Remove roof.jpg'), isDisabled('Remove wall.jpg')]).toEqual(['true', null]);
});

it('focuses and marks the file that it was opened for', async () => {
  const files: readonly KnownFile[] = ['roof.jpg', 'wall.jpg'].map((name) => ({ ...known, Key: name, FileName: name }));
  await renderPage(<AssignmentPage AssignmentId="a-1" file="wall.jpg" />, { assignments: { knownFiles: () => files } });
  const row = () => document.activeElement?.closest('tr');
  await waitFor(() => expect(row()?.textContent).toContain('wall.jpg'));
  expect(row()?.getAttribute('aria-current')).toBe('true');
});

it('removes the file that the question named, even if the list changes before the answer', async () => {
  let files: readonly KnownFile[] = [{ ...known, Key: 'k-2', FileName: 'wall.jpg' }];
  const removed: unknown[] = [];
  const { client } = await renderPage(<AssignmentPage AssignmentId="a-1" />, {
    assignments: { knownFiles: () => files },
    files: { remove: (input) => void removed.push(input) },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Remove wall.jpg' }));
  const question = await screen.findByText(/^“wall.jpg” will be removed/);
  files = [{ ...known, Key: 'k-1', FileName: 'roof.jpg', addedAtMs: 2 }, ...files];
  await act(async () => client.invalidateQueries());
  await waitFor(() => expect(document.body.textContent).toContain('roof.jpg'));
  expect(question.textContent).toContain('wall.jpg');
  fireEvent.click(screen.getByText('Remove file'));
  await waitFor(() => expect(removed).toEqual([{ AssignmentId: 'a-1', Keys: ['k-2'] }]));
});

it('offers no removal once none of the selected files is left while it asks about them', async () => {
  let files: readonly KnownFile[] = ['roof.jpg', 'wall.jpg'].map((FileName, at) => ({
    ...known,
    Key: `k-${at}`,
    FileName,
  }));
  const removed: unknown[] = [];
  const { client } = await renderPage(<AssignmentPage AssignmentId="a-1" />, {
    assignments: { knownFiles: () => files },
    files: { remove: (input) => void removed.push(input) },
  });
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Select roof.jpg' }));
  fireEvent.click(screen.getByRole('button', { name: 'Remove selected' }));
  const confirm = await screen.findByText('Remove 1 file');
  files = files.slice(1);
  await act(async () => client.invalidateQueries());
  await waitFor(() => expect(document.body.textContent).not.toContain('roof.jpg'));
  fireEvent.click(confirm);
  await act(async () => {});
  expect(removed).toEqual([]);
});
