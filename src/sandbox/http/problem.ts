import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { SandboxEnv } from './environment.ts';

/** An error of the API, which the interface leaves open: `{"error": {"code": "NotFound", "message": "…"}}`. */
export const problem = (c: Context, status: ContentfulStatusCode, code: string, message: string): Response =>
  c.json({ error: { code, message } }, status);

/** Answers 404. */
export const notFound = (c: Context): Response => problem(c, 404, 'NotFound', 'There is nothing at this address.');

/** Refuses a method that a known path does not have, naming those it has. */
export const allowOnly =
  (methods: string) =>
  (c: Context): Response => {
    c.header('Allow', methods);
    return problem(c, 405, 'MethodNotAllowed', `This address takes ${methods} only.`);
  };

/** The answer to a handler's error: none when the client has gone, 500 otherwise (the sandbox has a defect). */
export const onError = (error: Error, c: Context<SandboxEnv>): Response => {
  if (c.env.outgoing.socket?.destroyed ?? true) return RESPONSE_ALREADY_SENT;
  return problem(c, 500, 'InternalError', error.message);
};
