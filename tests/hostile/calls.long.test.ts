/** Any call with any input, for as long as it takes. */
import { test } from 'vitest';
import { fuzzCalls } from './support/fuzz-calls.ts';
import { useHostileService } from './support/hostile-service.ts';

const service = useHostileService();

test('Fuzz: 500,000 calls find no bug, no secret and no file outside', () => fuzzCalls(service, 500_000, 'long'));
