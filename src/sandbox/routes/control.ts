/** The control endpoints under /sandbox, which require the control token (README.md). */
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { type FaultRule, FaultRules } from '../faults/fault-plan.ts';
import type { SandboxEnv } from '../http/http.ts';
import { controlHeader, notFound, problem } from '../http/http.ts';
import { equalSecrets } from '../state/tokens.ts';
import type { Service } from './service.ts';

/** Creates the control routes, to be mounted at /sandbox. */
export const controlRoutes = (service: Service): Hono<SandboxEnv> => {
  const { settings, faults, stats, tokens, users, uploads, state, advanceClock } = service;

  const done = (work: () => void) => (c: Context) => {
    work();
    return c.body(null, 204);
  };

  const withBody =
    <T>(schema: z.ZodType<T>, work: (body: T) => void) =>
    async (c: Context) => {
      const body = schema.safeParse(await c.req.json().catch(() => undefined));
      if (!body.success) return problem(c, 400, 'InvalidBody', z.prettifyError(body.error));
      work(body.data);
      return c.body(null, 204);
    };
  const replaceFaults = (rules: readonly FaultRule[]): void => {
    faults.clear();
    faults.add(rules);
  };

  return new Hono<SandboxEnv>()
    .use(async (c, next) => {
      const isAllowed = equalSecrets(c.req.header(controlHeader) ?? '', settings.controlToken);
      return isAllowed ? next() : problem(c, 403, 'Forbidden', `The header ${controlHeader} carries another token.`);
    })
    .get('/faults', (c) => c.json(faults.list()))
    .get('/faults/fired', (c) => c.json(faults.fired()))
    .post('/faults', withBody(FaultRules, faults.add))
    .put('/faults', withBody(FaultRules, replaceFaults))
    .delete('/faults', done(faults.clear))
    .post('/faults/release', done(faults.release))
    .get('/stats', (c) => c.json(stats.read()))
    .delete('/stats', done(stats.reset))
    .get('/objects', (c) => c.json(uploads.list()))
    .get('/objects/content', (c) => {
      const path = uploads.pathOf(c.req.query('key') ?? '');
      if (path === undefined) return notFound(c);
      const stream = Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>;
      return c.body(stream, 200, { 'Content-Type': 'application/octet-stream' });
    })
    .get('/plan-after', (c) => c.json(state.planAfterValues()))
    .post('/access-tokens/expire', done(tokens.expireAllAccess))
    .post('/sessions/revoke', done(tokens.revokeSessions))
    .post(
      '/user',
      withBody(z.object({ sub: z.enum(['user-4711', 'user-4712']) }), ({ sub }) => users.become(sub)),
    )
    .post(
      '/clock/advance',
      withBody(z.object({ byMs: z.number().nonnegative() }), ({ byMs }) => advanceClock(byMs)),
    );
};
