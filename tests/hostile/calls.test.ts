/** Makes random calls, in a short run. calls.long.test.ts makes 500,000. */
import { test } from 'vitest';
import { fuzzCalls } from './support/fuzz-calls.ts';
import { useHostileService } from './support/hostile-service.ts';

const service = useHostileService();

test('Fuzz: 2,000 calls reveal no bug, no secret and no file outside', () => fuzzCalls(service, 2_000, 'short'));
