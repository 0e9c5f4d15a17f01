import { expect, test } from 'vitest';
import { parseSandboxArgs } from './run.ts';

test('uses the defaults without flags', () => {
  expect(parseSandboxArgs([])).toMatchObject({
    settings: { port: 0, consent: 'page', pageSize: 50, signedUrlTtlS: 900, clientIds: ['inspection-desk'] },
    faultFile: undefined,
    stopsWithStdin: false,
  });
});

test('reads flags', () => {
  const args =
    '--port 8123 --state here --protocols 9 --seed 4 --storage-base-url https://storage.example.com --faults f.json --consent auto --discard-content --parent-stdin';
  expect(parseSandboxArgs([...args.split(' '), '--client-id', 'a', '--client-id', 'b'])).toMatchObject({
    settings: {
      port: 8123,
      stateDir: 'here',
      protocols: 9,
      seed: 4,
      storageBaseUrl: 'https://storage.example.com',
      consent: 'auto',
      discardsContent: true,
      clientIds: ['a', 'b'],
    },
    faultFile: 'f.json',
    stopsWithStdin: true,
  });
});

test.each([
  [['--port', 'x'], /^port: /],
  [['--port', '70000'], /^port: /],
  [['--protocols', '0'], /^protocols: /],
  [['--storage-base-url', 'nowhere'], /^storageBaseUrl: /],
  [['--consent', 'maybe'], /^consent: /],
  [['--redirect-uri', 'nowhere'], /^redirectUris\.0: /],
  [['--unknown'], /--unknown/],
  [['extra'], /extra/],
])('%j is refused', (args, message) => {
  expect(() => parseSandboxArgs(args)).toThrow(message);
});
