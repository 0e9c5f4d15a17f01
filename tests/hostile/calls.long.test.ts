/** Makes 500,000 random calls. */
import { test } from 'vitest';
import { fuzzCalls } from './support/fuzz-calls.ts';
import { useHostileService } from './support/hostile-service.ts';

const service = useHostileService();

test('Fuzz: 500,000 calls reveal no bug, no secret and no file outside', () => fuzzCalls(service, 500_000, 'long'));
