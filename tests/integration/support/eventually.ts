import { expect } from 'vitest';

/** Expects what will come true; how long that takes is the machine's affair. */
export const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 60_000, interval: 20 });
