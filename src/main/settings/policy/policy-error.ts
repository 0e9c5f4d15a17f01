/** What is wrong with a policy: the app does not start with half of it. */
import type { z } from 'zod';
import { DeskError, type ErrorCode } from '../../../contract/errors.ts';
import { Policy } from './policy.ts';

type PolicyErrorCode = Extract<ErrorCode, `policy/${string}`>;

/** Where the fault is. `key`: dotted path; `line`: from 1, of a file that has lines. */
type Place = { readonly path: string; readonly line?: number | undefined; readonly key?: string | undefined };

export const policyError = (
  code: PolicyErrorCode,
  { path, line, key }: Place,
  message: string,
  cause?: unknown,
): DeskError =>
  new DeskError(code, `${path}${line === undefined ? '' : `:${line}`}: ${message}`, {
    details: { path, ...(line !== undefined && { line }), ...(key !== undefined && { key }) },
    cause,
  });

/** A policy as a source has it, with the line of each of its values, where there are lines. */
export type RawPolicy = {
  readonly path: string;
  readonly value: unknown;
  readonly lineOf?: (keys: readonly PropertyKey[]) => number | undefined;
};

/** @throws DeskError `policy/unknown-key`, `policy/invalid` (details `path`, `key`, `line`) */
export const parsePolicy = ({ path, value, lineOf = () => undefined }: RawPolicy): Policy => {
  const { data, error } = Policy.safeParse(value);
  if (data) return data;
  const { keys, unknown, message } = fault(error);
  const place = { path, line: lineOf(keys), key: keys.join('.') };
  throw policyError(unknown ? 'policy/unknown-key' : 'policy/invalid', place, `${place.key}: ${message}`);
};

const fault = ({ issues }: z.ZodError) => {
  // What is misspelt is said first: it often is why something else is missing.
  const strange = issues.find(({ code }) => code === 'unrecognized_keys');
  const issue = strange ?? issues[0];
  const unknown = strange?.code === 'unrecognized_keys' ? strange.keys.slice(0, 1) : [];
  return {
    keys: [...(issue?.path ?? []), ...unknown],
    unknown: unknown.length > 0,
    message: issue?.message ?? '',
  };
};
