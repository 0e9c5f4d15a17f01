/** Dispatches a call from another process: looks it up, parses its input, and resolves to an envelope. */
import { attempt } from 'es-toolkit/util';
import type { z } from 'zod';
import { callsByName, functionOf, type Handlers, mapCalls } from '../../../contract/calls.ts';
import { DeskError, type Envelope, type ErrorCode, toErrorData } from '../../../contract/errors.ts';
import { parseInSlices } from '../../async/parse-in-slices.ts';
import { isOutage } from '../../net/translate.ts';
import type { WriteLog } from '../log/log.ts';

/**
 * Creates a dispatcher of calls by name (`group.method`), which never rejects. Input that does not parse is refused
 * with `input/invalid` and the field's path. The output is parsed as well, so that only what the contract names leaves
 * the main process. `onBug` receives every error that is not a `DeskError`.
 */
export const createDispatcher =
  (handlers: Handlers, onBug: (error: unknown) => void) =>
  (name: string, input: unknown): Promise<Envelope<unknown>> =>
    toEnvelope(async () => {
      const call = callsByName.get(name);
      if (!call) throw new DeskError('input/invalid', 'there is no such call', { details: { call: name } });
      return parseInSlices(call.output, await functionOf(handlers, name)?.(parseInput(call.input, input)));
    }, onBug);

/** The result or error of `work` as an envelope; an error that is not a `DeskError` also goes to `onBug`. */
export const toEnvelope = async <T>(
  work: () => Promise<T> | T,
  onBug: (error: unknown) => void,
): Promise<Envelope<T>> => {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    if (!(error instanceof DeskError)) onBug(error);
    return { ok: false, error: toErrorData(error) };
  }
};

/** Parses `input` with `schema`. Throws `input/invalid` with the path of the first wrong field. */
export const parseInput = <T>(schema: z.ZodType<T>, input: unknown): T => {
  // The parser itself may throw: zod freezes read-only lists, and an array of bytes cannot be frozen.
  const [, parsed] = attempt(() => schema.safeParse(input));
  if (parsed?.success) return parsed.data;
  const [issue] = parsed?.error.issues ?? [];
  const field = issue?.path.map(String).join('.') ?? '';
  throw new DeskError('input/invalid', 'the input of the call is wrong', {
    details: { field, problem: issue?.message ?? 'invalid' },
  });
};

/** Errors of normal operation, which are not logged. */
const USUAL: ReadonlySet<ErrorCode> = new Set([
  'app/cancelled',
  'cache/missing',
  'connection/missing',
  'auth/required',
]);

/**
 * Returns handlers that log their errors, except `USUAL` ones, bugs and outages. During an outage many calls reject;
 * `logReach` logs the outage once.
 */
export const logRefusals = (handlers: Handlers, write: WriteLog): Handlers => {
  const log = (call: string, error: unknown): never => {
    // The host that receives a bug logs it.
    if (error instanceof DeskError && !USUAL.has(error.code) && !isOutage(error)) write('call.failed', { call, error });
    throw error;
  };
  return mapCalls((name) => {
    const handle = functionOf(handlers, name);
    return (input: unknown): unknown => {
      try {
        const result = handle?.(input);
        return result instanceof Promise ? result.catch((error: unknown) => log(name, error)) : result;
      } catch (error) {
        return log(name, error);
      }
    };
  }) as Handlers;
};
