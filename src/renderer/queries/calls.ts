/** Every call as a query. The key is the call's name and input, so the same question shares one answer. */
import { type DeskClient, functionOf, mapCalls } from '../../contract/calls.ts';

export type CallName = { [G in keyof DeskClient]: `${G}.${string & keyof DeskClient[G]}` }[keyof DeskClient];

export type CallQuery<T> = {
  readonly queryKey: readonly [name: CallName, input?: unknown];
  readonly queryFn: () => Promise<T>;
};

type AsQuery<Call> = Call extends (...input: infer I) => Promise<infer T> ? (...input: I) => CallQuery<T> : never;

/** The shape of the contract's calls, with a query in the place of each: `calls.assignments.get({ AssignmentId })`. */
export type CallQueries = {
  readonly [G in keyof DeskClient]: { readonly [M in keyof DeskClient[G]]: AsQuery<DeskClient[G][M]> };
};

/** The queries that `desk` answers. */
export const createCallQueries = (desk: DeskClient): CallQueries =>
  mapCalls((name) => (input?: unknown) => ({
    queryKey: input === undefined ? [name] : [name, input],
    queryFn: () => functionOf(desk, name)?.(input),
  })) as unknown as CallQueries;
