/** Waiting that can be cancelled, and the type under which it is injected. */
import { setTimeout } from 'node:timers/promises';
import { cancellation } from './cancel.ts';

/** Resolves after `ms`; rejects with the `cancellation` of `signal` as soon as that is aborted. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;

/** What a Node timer can hold; above it, Node fires at once. */
const longestMs = 2 ** 31 - 1;

/** The real clock's `Sleep`. */
export const sleep: Sleep = async (ms, signal) => {
  try {
    await setTimeout(Math.min(ms, longestMs), undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    throw signal === undefined ? error : cancellation(signal);
  }
};
