import { expect, it, vi } from 'vitest';
import type { Bridge } from '../../contract/calls.ts';
import { type CallBridge, mapCalls } from '../../contract/calls.ts';
import type { Envelope } from '../../contract/errors.ts';
import { createDeskClient } from './desk.ts';

const bridge = (answer: Envelope<unknown>, more: Partial<Bridge> = {}) => {
  const called = vi.fn();
  const calls: CallBridge = mapCalls((name) => async (input?: unknown) => {
    called(name, input);
    return answer;
  });
  return { called, bridge: { calls, onEvent: () => () => {}, adoptDropped: async () => answer, ...more } };
};

it('calls by group and name and answers the value', async () => {
  const { bridge: fake, called } = bridge({ ok: true, value: [] });
  expect(await createDeskClient(fake).assignments.knownFiles({ AssignmentId: 'a' })).toEqual([]);
  expect(called).toHaveBeenCalledExactlyOnceWith('assignments.knownFiles', { AssignmentId: 'a' });
});

it('throws an error as a DeskError', async () => {
  const error = { code: 'auth/required', message: 'no token', retry: 'never', details: {} } as const;
  const { bridge: fake } = bridge({ ok: false, error });
  await expect(createDeskClient(fake).app.snapshot()).rejects.toMatchObject({
    name: 'DeskError',
    code: 'auth/required',
  });
});

it('parses the folders of a drop', async () => {
  const { bridge: fake } = bridge({ ok: true, value: [{ folderId: 'f', name: 'Photos' }] });
  expect(await createDeskClient(fake).adoptDropped([])).toEqual([{ folderId: 'f', name: 'Photos' }]);
  await expect(createDeskClient(bridge({ ok: true, value: 'x' }).bridge).adoptDropped([])).rejects.toThrow();
});

it('delivers events that parse and drops others', () => {
  let emit: (event: unknown) => void = () => {};
  const { bridge: fake } = bridge(
    { ok: true, value: undefined },
    {
      onEvent: (listener) => {
        emit = listener;
        return () => {};
      },
    },
  );
  const heard = vi.fn();
  createDeskClient(fake).onEvent(heard);
  emit({ revision: 1, type: 'connection' });
  emit({ revision: 2, type: 'unheard of' });
  expect(heard).toHaveBeenCalledExactlyOnceWith({ revision: 1, type: 'connection' });
});
