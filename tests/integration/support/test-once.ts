import { test } from 'vitest';
import { otherRuntime } from './runtime.ts';

/**
 * A test that has the same result on every system. It is skipped on another runtime, where it would take long, but runs
 * on Windows itself.
 */
export const testOnce = test.skipIf(otherRuntime !== undefined);
