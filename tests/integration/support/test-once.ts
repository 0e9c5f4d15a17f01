import { test } from 'vitest';
import { otherRuntime } from './runtime.ts';

/** A test of what is the same on every system: it is not repeated on another runtime, where it takes long. On Windows itself it runs. */
export const testOnce = test.skipIf(otherRuntime !== undefined);
