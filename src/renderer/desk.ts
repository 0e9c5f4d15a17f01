/** The renderer's side of the contract: typed calls and checked events over the bridge that the host gives. */
import { z } from 'zod';
import type { Bridge } from '../contract/bridge.ts';
import { type DeskClient, mapCalls } from '../contract/calls.ts';
import { type Envelope, type ErrorCode, fromErrorData } from '../contract/errors.ts';
import { DeskEvent } from '../contract/events.ts';
import { Folder } from '../contract/models.ts';

export type Desk = DeskClient & {
  /** Delivers every event until the returned function is called. */
  readonly onEvent: (listener: (event: DeskEvent) => void) => () => void;
  /** The dropped folders as main knows them. Throws a `DeskError` where dropping is not possible. */
  readonly adoptDropped: (files: readonly File[]) => Promise<readonly Folder[]>;
};

const Input = z.object({ offline: z.boolean() });
const Sourced = z.object({ source: z.enum(['service', 'cache']) });
const Change = z.object({ waiting: z.boolean() });
const outages: readonly ErrorCode[] = ['service/unreachable', 'service/timeout'];
/** What only the service itself can have answered. */
const refusals: readonly ErrorCode[] = [
  'service/forbidden',
  'service/not-found',
  'service/refused',
  'service/failed',
  'service/malformed',
];

const unwrap = <T>(envelope: Envelope<T>): T => {
  if (envelope.ok) return envelope.value;
  throw fromErrorData(envelope.error);
};

/** Whether an answer shows that the service was reached; undefined where it says nothing of that. */
const reachedBy = (input: unknown, envelope: Envelope<unknown>): boolean | undefined => {
  if (Input.safeParse(input).data?.offline === true) return undefined;
  if (!envelope.ok) {
    if (outages.includes(envelope.error.code)) return false;
    return refusals.includes(envelope.error.code) ? true : undefined;
  }
  const source = Sourced.safeParse(envelope.value).data?.source;
  if (source !== undefined) return source === 'service';
  const waiting = Change.safeParse(envelope.value).data?.waiting;
  return waiting === undefined ? undefined : !waiting;
};

/**
 * The typed client over `bridge`. Answers are main's own and taken as typed; a refusal is thrown as a `DeskError`.
 * `onReach` hears of every answer that tells whether the service can be reached.
 */
export const createDeskClient = (bridge: Bridge, onReach: (reached: boolean) => void = () => {}): Desk => {
  const functions: Readonly<Record<string, Readonly<Record<string, (input?: unknown) => Promise<Envelope<unknown>>>>>> =
    bridge.calls;
  const client = mapCalls((name) => async (input?: unknown) => {
    const [group = '', method = ''] = name.split('.');
    const call = functions[group]?.[method];
    if (call === undefined) throw new Error(`the bridge has no call ${name}`);
    const envelope = await call(input);
    const reached = reachedBy(input, envelope);
    if (reached !== undefined) onReach(reached);
    return unwrap(envelope);
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
