/**
 * A list that the service cuts off. The pages before the cut are printed as a complete document, and the exit code
 * reports the error.
 */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { cli } from '../integration/support/cli.ts';
import { withoutBackoff } from '../integration/support/desks.ts';
import { makeDirectory } from '../integration/support/folders.ts';
import { useHostileService } from './support/hostile-service.ts';
import { type Attack, answerAs, staysHonest } from './support/start-hostile-service.ts';

const service = useHostileService();
const Page = z.looseObject({ Items: z.array(z.unknown()), Count: z.int() });

/** Sends the honest first and second pages, and then attacks with `attack`. */
const fromThirdPage =
  (attack: Attack): Attack =>
  (met) => {
    const page = new URL(met.request.url ?? '', service.address.baseUrl).searchParams.get('Page');
    return Number(page ?? 1) < 3 ? staysHonest(met) : attack(met);
  };

const first = async (): Promise<string> => {
  let body = '';
  const stop = service.attack('list-protocols', async ({ response, honest }) => {
    const answer = await honest();
    body = answer.body;
    answerAs(response, answer);
  });
  await cli(['protocols'], { sandbox: service.address, home: makeDirectory() });
  stop();
  return body;
};

test.each([
  ['fails', () => ({ status: 404, body: '' }), 'service/not-found'],
  ['comes again', (page: string) => ({ status: 200, body: page }), 'service/endless'],
  ['is no page', () => ({ status: 200, body: '{"Items":[' }), 'service/malformed'],
])('A10: protocols --all whose third page %s is one whole document', async (_, answer, code) => {
  withoutBackoff();
  const page = await first();
  service.attack(
    'list-protocols',
    fromThirdPage(({ response }) => answerAs(response, answer(page))),
  );
  const run = await cli(['protocols', '--all'], { sandbox: service.address, home: makeDirectory() });
  expect(run).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(code) });
  expect(run.lines).toMatchObject([{ Count: 100, TotalCount: 240, CurrentPage: 1 }]);
  expect(Page.parse(run.lines[0]).Items).toHaveLength(100);
});
