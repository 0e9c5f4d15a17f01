/** A bridge for tests, with the calls that preload gives the window. Functions of the test handle the calls. */

import type { DeskEvent, Snapshot } from '../../contract/app.ts';
import type { Bridge } from '../../contract/calls.ts';
import { functionOf, type Handlers, mapCalls } from '../../contract/calls.ts';
import { NOTHING_ASKED } from '../../contract/connection.ts';
import { DeskError, toErrorData } from '../../contract/errors.ts';

/** Handlers of some calls. All other calls are rejected. */
export type SomeHandlers = { readonly [G in keyof Handlers]?: Partial<Handlers[G]> };

export type FakeBridge = {
  readonly bridge: Bridge;
  /** The calls so far, oldest first, as "group.method". */
  readonly called: readonly string[];
  readonly emit: (event: DeskEvent) => void;
};

export const createFakeBridge = (handlers: SomeHandlers): FakeBridge => {
  const called: string[] = [];
  const listeners = new Set<(event: unknown) => void>();
  const cancels = new Map<string, AbortController>();
  const calls = mapCalls((name) => async (input?: unknown, id = '') => {
    called.push(name);
    const cancel = new AbortController();
    cancels.set(id, cancel);
    try {
      const handler = functionOf(handlers, name);
      if (handler === undefined) throw new DeskError('app/unsupported', `no handler for ${name}`);
      return { ok: true as const, value: await handler(input, cancel.signal) };
    } catch (error) {
      return { ok: false as const, error: toErrorData(error) };
    }
  });
  return {
    bridge: {
      calls,
      cancel: (id) => cancels.get(id)?.abort(new DeskError('app/cancelled', 'cancelled')),
      onEvent: (listener) => void listeners.add(listener),
      adoptDropped: async () => ({ ok: true, value: [] }),
    },
    called,
    emit: (event) => {
      for (const listener of listeners) listener(event);
    },
  };
};

/** The state of main for a signed-in user, without uploads or other records. */
export const emptySnapshot: Snapshot = {
  revision: 1,
  version: '1.2.3',
  connection: { baseUrl: 'https://one.example', authUrl: 'https://one.example', clientId: 'c', sample: false },
  session: { state: 'signed-in' },
  batches: [],
  notices: [],
  reachability: NOTHING_ASKED,
  offline: { state: 'idle', listed: 0, available: 0, skipped: 0, total: 0, sizeBytes: 0 },
  outbox: [],
  watchedFolders: [],
  preferences: {
    appearance: 'system',
    language: 'system',
    formats: 'system',
    dateFormat: 'system',
    concurrency: 4,
    leaveRoom: 'never',
    waitOnBattery: true,
    waitOnMetered: true,
    timeBase: 'auto',
    letterhead: { people: {} },
    network: { proxy: { mode: 'system', exceptions: [] } },
    updates: { mode: 'automatic', channel: 'latest' },
    cacheLimitMegabytes: 1_000,
    desktop: { tray: true, keepUploading: true, startAtSignIn: false },
    logLevel: 'info',
  },
  managed: [],
  hasDesktop: true,
  office: { sampleData: true, signOutErases: 'session', connection: {} },
  views: {},
  update: { state: 'off', reason: 'build' },
};
