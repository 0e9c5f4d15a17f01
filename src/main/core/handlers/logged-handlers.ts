import { functionOf, type Handlers, mapCalls } from '../../../contract/calls.ts';
import { DeskError, type ErrorCode } from '../../../contract/errors.ts';
import { isOutage } from '../../net/translate.ts';
import type { WriteLog } from '../log/log.ts';

/** Refusals that belong to the usual course of things. */
const USUAL: ReadonlySet<ErrorCode> = new Set([
  'app/cancelled',
  'cache/missing',
  'connection/missing',
  'auth/required',
]);

/** The handlers, which log what they refuse. A network that is lost refuses everything, and is logged once, elsewhere. */
export const logRefusals = (handlers: Handlers, write: WriteLog): Handlers => {
  const log = (call: string, error: unknown): never => {
    // The receiver of a bug logs it.
    if (error instanceof DeskError && !USUAL.has(error.code) && !isOutage(error)) write('call.failed', { call, error });
    throw error;
  };
  return mapCalls((name) => {
    const handle = functionOf(handlers, name);
    return (input: unknown): unknown => {
      try {
        const answer = handle?.(input);
        return answer instanceof Promise ? answer.catch((error: unknown) => log(name, error)) : answer;
      } catch (error) {
        return log(name, error);
      }
    };
  }) as Handlers;
};
