/**
 * Every call that the renderer can make, in one object. The handlers in main, the bridge in preload and the client in
 * the renderer are derived from it, so a call that is not declared here does not exist.
 *
 * The comment of a call lists its errors after "Errors:". The list may leave out errors that many calls share: those of
 * an input that does not match its schema or refers to something unknown (`input/invalid`, `upload/batch-unknown`); of
 * a missing connection (`isConnectionRefusal`) or draft (`draft/missing`); of a worker that has stopped
 * (`upload/engine-stopped`, `draft/stopped`); of stored data (`data/…`); and of a connection that is closing
 * (`app/cancelled`).
 */
import type { z } from 'zod';
import { appCalls, updatesCalls } from './app.ts';
import { assignmentsCalls } from './assignments.ts';
import { connectionCalls, networkCalls, sessionCalls } from './connection.ts';
import { doctorCalls } from './doctor.ts';
import { draftsCalls, rulesCalls } from './drafts.ts';
import type { Envelope } from './errors.ts';
import { filesCalls } from './files.ts';
import { cacheCalls, offlineCalls, outboxCalls } from './offline.ts';
import { preferencesCalls, viewCalls } from './preferences.ts';
import { orderableEventsCalls, protocolsCalls } from './protocols.ts';
import { searchCalls } from './search.ts';
import { exportCalls } from './sheets.ts';
import { receiptsCalls, uploadsCalls } from './uploads.ts';
import { foldersCalls, watchedFoldersCalls } from './watched-folders.ts';

export const calls = {
  app: appCalls,
  connection: connectionCalls,
  session: sessionCalls,
  protocols: protocolsCalls,
  assignments: assignmentsCalls,
  orderableEvents: orderableEventsCalls,
  search: searchCalls,
  offline: offlineCalls,
  cache: cacheCalls,
  outbox: outboxCalls,
  preferences: preferencesCalls,
  network: networkCalls,
  view: viewCalls,
  export: exportCalls,
  files: filesCalls,
  folders: foldersCalls,
  uploads: uploadsCalls,
  receipts: receiptsCalls,
  drafts: draftsCalls,
  watchedFolders: watchedFoldersCalls,
  rules: rulesCalls,
  doctor: doctorCalls,
  updates: updatesCalls,
} as const;

type Calls = typeof calls;

type Input<C> = C extends { input: infer I extends z.ZodType } ? z.output<I> : never;
type Output<C> = C extends { output: infer O extends z.ZodType } ? z.output<O> : never;
/** The arguments of a call `C` in a client: none, or the input before parsing. Fields with a default can be omitted. */
type Arguments<C> = C extends { input: infer I extends z.ZodType }
  ? z.input<I> extends undefined
    ? []
    : [input: z.input<I>]
  : never;

/**
 * The typed client of all calls, as in `desk.protocols.list({ Query: 'harbour' })`. Calls reject with a `DeskError`. If
 * the signal given as the last argument is aborted, main stops the work where it can, and a call that was stopped
 * rejects with `app/cancelled`. If the signal was aborted before the call, the call rejects without being sent.
 */
export type DeskClient = {
  readonly [G in keyof Calls]: {
    readonly [M in keyof Calls[G]]: (
      ...args: [...Arguments<Calls[G][M]>, signal?: AbortSignal]
    ) => Promise<Output<Calls[G][M]>>;
  };
};

export type Handlers = {
  readonly [G in keyof Calls]: {
    readonly [M in keyof Calls[G]]: (
      input: Input<Calls[G][M]>,
      signal?: AbortSignal,
    ) => Promise<Output<Calls[G][M]>> | Output<Calls[G][M]>;
  };
};

type PerCall<T> = { readonly [G in keyof Calls]: { readonly [M in keyof Calls[G]]: T } };

/** The functions that preload exposes. `id`: a random text that identifies the call for `Bridge.cancel`. */
type CallBridge = PerCall<(input?: unknown, id?: string) => Promise<Envelope<unknown>>>;

type Call = { readonly input: z.ZodType; readonly output: z.ZodType };
const groups: Readonly<Record<string, Readonly<Record<string, Call>>>> = calls;

/** All calls by their names (`group.method`). The name is also the call's IPC channel, and its path in the preview. */
export const callsByName: ReadonlyMap<string, Call> = new Map(
  Object.entries(groups).flatMap(([group, methods]) =>
    Object.entries(methods).map(([method, call]) => [`${group}.${method}`, call] as const),
  ),
);

/**
 * The function for any call. The type is declared as a method, because TypeScript checks the parameters of methods less
 * strictly. Otherwise a function that accepts only the input of one call would not have this type.
 */
type AnyFunction<T> = { call(...args: unknown[]): T }['call'];

/** Returns the function for the call `name` in `functions` (the handlers, a client or a bridge). */
export const functionOf = <T = unknown>(
  functions: Readonly<Record<string, Readonly<Record<string, AnyFunction<NoInfer<T>>>> | undefined>>,
  name: string,
): AnyFunction<T> | undefined => {
  const [group = '', method = ''] = name.split('.');
  return functions[group]?.[method];
};

/** Returns an object of the shape of `calls`, with `make(name)` in place of each call. */
export const mapCalls = <T>(make: (name: string) => T): PerCall<T> =>
  Object.fromEntries(
    Object.entries(calls).map(([group, methods]) => [
      group,
      Object.fromEntries(Object.keys(methods).map((method) => [method, make(`${group}.${method}`)])),
    ]),
  ) as PerCall<T>;

export type Bridge = {
  readonly calls: CallBridge;
  readonly cancel: (id: string) => void;
  /** Calls `listener` with every event as long as the page exists. */
  readonly onEvent: (listener: (event: unknown) => void) => void;
  /** Registers dropped or picked folders and files with main. The value of the envelope is a `Folder[]`. */
  readonly adoptDropped: (files: readonly File[]) => Promise<Envelope<unknown>>;
};

export const eventChannel = 'desk.event';
export const adoptDroppedChannel = 'desk.adoptDropped';
export const cancelChannel = 'desk.cancel';
