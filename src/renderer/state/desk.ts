/** The renderer's side of the contract: typed calls and checked events over the bridge that the host gives. */
import { z } from 'zod';
import type { Bridge } from '../../contract/bridge.ts';
import { type DeskClient, mapCalls } from '../../contract/calls.ts';
import { type Envelope, fromErrorData } from '../../contract/errors.ts';
import { DeskEvent } from '../../contract/events.ts';
import { Folder } from '../../contract/upload-preview.ts';

export type Desk = DeskClient & {
  /** Delivers every event until the returned function is called. */
  readonly onEvent: (listener: (event: DeskEvent) => void) => () => void;
  /** The dropped folders as main knows them. Throws a `DeskError` where dropping is not possible. */
  readonly adoptDropped: (files: readonly File[]) => Promise<readonly Folder[]>;
};

const unwrap = <T>(envelope: Envelope<T>): T => {
  if (envelope.ok) return envelope.value;
  throw fromErrorData(envelope.error);
};

export type DeskOptions = {
  /** Told of every call that succeeded; the caller gets its answer once this has ended. */
  readonly onAnswered?: (name: string) => Promise<void>;
};

/** The typed client over `bridge`. Answers are main's own and taken as typed; a refusal is thrown as a `DeskError`. */
export const createDeskClient = (bridge: Bridge, { onAnswered }: DeskOptions = {}): Desk => {
  const functions: Readonly<Record<string, Readonly<Record<string, (input?: unknown) => Promise<Envelope<unknown>>>>>> =
    bridge.calls;
  const client = mapCalls((name) => async (input?: unknown) => {
    const [group = '', method = ''] = name.split('.');
    const call = functions[group]?.[method];
    if (call === undefined) throw new Error(`the bridge has no call ${name}`);
    const value = unwrap(await call(input));
    await onAnswered?.(name);
    return value;
  }) as DeskClient;
  return {
    ...client,
    onEvent: (listener) =>
      bridge.onEvent((event) => {
        // One that does not parse is as good as lost: the gap it leaves in the revisions brings a new snapshot.
        const parsed = DeskEvent.safeParse(event);
        if (parsed.success) listener(parsed.data);
      }),
    adoptDropped: async (files) => z.array(Folder).parse(unwrap(await bridge.adoptDropped(files))),
  };
};
