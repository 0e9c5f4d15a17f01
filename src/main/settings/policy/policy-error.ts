/** What is wrong with a policy: the app does not start with half of it, and says everything that has to be corrected at once. */
import type { z } from 'zod';
import { DeskError, type ErrorCode } from '../../../contract/errors.ts';
import { allowedAt } from './keys.ts';
import { Policy } from './policy.ts';

type PolicyErrorCode = Extract<ErrorCode, `policy/${string}`>;

/** One thing to correct. `line`: from 1, of a file that has lines; `what`: what is wrong, or what is allowed there. */
export type Fault = {
  readonly code: 'policy/syntax' | 'policy/unknown-key' | 'policy/invalid';
  readonly path: string;
  readonly line?: number | undefined;
  /** With dots. */
  readonly key?: string | undefined;
  readonly what: string;
};

/** A policy that cannot be used at all, whatever is in it. */
export const policyError = (code: PolicyErrorCode, path: string, message: string, cause?: unknown): DeskError =>
  new DeskError(code, `${path}: ${message}`, { details: { path }, cause });

/** A policy as a source has it, with the line of each of its values, where there are lines. */
export type RawPolicy = {
  readonly path: string;
  readonly value: unknown;
  readonly lineOf?: (keys: readonly PropertyKey[]) => number | undefined;
  /** What was wrong before its values could be looked at. */
  readonly faults?: readonly Fault[];
};

/**
 * The policies of all sources.
 * @throws DeskError `policy/syntax`, `policy/unknown-key`, `policy/invalid`: the first that some fault has. Details: `path`,
 * `key` and `line` of that fault, and `faults`: a text with the place and the key of each, and what is allowed there
 */
export const parsePolicies = (sources: readonly RawPolicy[]): readonly Policy[] => {
  const parsed = sources.map((source) => ({ source, ...Policy.safeParse(source.value) }));
  const faults = parsed.flatMap(({ source, error }) => [
    ...(source.faults ?? []),
    ...(error ? faultsOf(source, error) : []),
  ]);
  if (faults.length > 0) throw faultsError(faults);
  return parsed.flatMap(({ data }) => (data ? [data] : []));
};

/** The policy of one source. Errors: those of `parsePolicies`. */
export const parsePolicy = (source: RawPolicy): Policy => parsePolicies([source])[0] ?? {};

/** More are counted only: a file of another program can have any number. */
const MOST_FAULTS = 20;

/** `within`: the keys whose schema says what is allowed. */
type Misfit = Pick<Fault, 'code'> & { readonly keys: readonly PropertyKey[]; readonly within: readonly PropertyKey[] };

const faultsOf = ({ path, lineOf = () => undefined }: RawPolicy, { issues }: z.ZodError): readonly Fault[] =>
  issues
    .flatMap((issue): readonly Misfit[] =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => ({ code: 'policy/unknown-key', keys: [...issue.path, key], within: issue.path }))
        : [{ code: 'policy/invalid', keys: issue.path, within: issue.path }],
    )
    .map(
      ({ code, keys, within }, at): Fault => ({
        ...{ code, path, key: keys.join('.') },
        ...(at < MOST_FAULTS ? { line: lineOf(keys), what: allowedAt(within) } : { what: '' }),
      }),
    )
    .sort((one, other) => (one.line ?? Number.MAX_SAFE_INTEGER) - (other.line ?? Number.MAX_SAFE_INTEGER));

const CODES = ['policy/syntax', 'policy/unknown-key', 'policy/invalid'] as const;

const faultsError = (faults: readonly Fault[]): DeskError => {
  // What is misspelt is said first: it often is why something else is missing.
  const code = CODES.find((one) => faults.some((fault) => fault.code === one)) ?? 'policy/invalid';
  const first = faults.find((fault) => fault.code === code);
  const more = faults.length > MOST_FAULTS ? ` • … (${faults.length - MOST_FAULTS})` : '';
  const text = faults.slice(0, MOST_FAULTS).map((fault) => ` • ${wordsOf(fault)}`);
  return new DeskError(code, `the policy has faults:${text.join('')}${more}`, {
    details: {
      path: first?.path ?? '',
      ...(first?.line !== undefined && { line: first.line }),
      ...(first?.key !== undefined && { key: shortened(first.key) }),
      faults: `${text.join('')}${more}`.trimStart(),
    },
  });
};

const wordsOf = ({ path, line, key, what }: Fault): string =>
  [line === undefined ? path : `${path}:${line}`, key && shortened(key), what].filter(Boolean).join(': ');

const shortened = (text: string): string => (text.length > 100 ? `${text.slice(0, 100)}…` : text);
