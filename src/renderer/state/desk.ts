/** The renderer's side of the contract: typed calls and parsed events over the host's bridge. */
import { z } from 'zod';
import { DeskEvent } from '../../contract/app.ts';
import type { Bridge } from '../../contract/calls.ts';
import { type DeskClient, functionOf, mapCalls } from '../../contract/calls.ts';
import { type Envelope, fromErrorData } from '../../contract/errors.ts';
import { Folder } from '../../contract/watched-folders.ts';

export type RendererDesk = DeskClient & {
  /** Delivers every event until the returned function is called. */
  readonly onEvent: (listener: (event: DeskEvent) => void) => () => void;
  /** Registers with main files that were dropped or chosen. Rejects with a `DeskError`. */
  readonly adoptDropped: (files: readonly File[]) => Promise<readonly Folder[]>;
};

const unwrap = <T>(envelope: Envelope<T>): T => {
  if (envelope.ok) return envelope.value;
  throw fromErrorData(envelope.error);
};

type DeskClientOptions = {
  /** Called after every successful call. The call resolves once this has finished. */
  readonly onResponse?: (name: string) => Promise<void>;
};

/**
 * The typed client over `bridge`. Results come from main and are trusted to have their type. Calls reject with a
 * `DeskError`.
 */
export const createDeskClient = (bridge: Bridge, { onResponse }: DeskClientOptions = {}): RendererDesk => {
  const client = mapCalls((name) => async (input?: unknown) => {
    const call = functionOf<Promise<Envelope<unknown>>>(bridge.calls, name);
    if (call === undefined) throw new Error(`the bridge has no call ${name}`);
    const value = unwrap(await call(input));
    await onResponse?.(name);
    return value;
  }) as DeskClient;
  return {
    ...client,
    onEvent: (listener) =>
      bridge.onEvent((event) => {
        // An event that does not parse is dropped: the gap in the revisions makes the store request a snapshot.
        const parsed = DeskEvent.safeParse(event);
        if (parsed.success) listener(parsed.data);
      }),
    adoptDropped: async (files) => z.array(Folder).parse(unwrap(await bridge.adoptDropped(files))),
  };
};
