import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { SandboxEnv } from './environment.ts';

/** An error of the API; the interface does not specify its shape: `{"error": {"code": "NotFound", "message": "…"}}`. */
export const problem = (c: Context, status: ContentfulStatusCode, code: string, message: string): Response =>
  c.json({ error: { code, message } }, status);

/** Answers 404. */
export const notFound = (c: Context): Response => problem(c, 404, 'NotFound', 'There is nothing at this address.');

/** Answers 405 with the allowed methods. */
export const allowOnly =
  (methods: string) =>
  (c: Context): Response => {
    c.header('Allow', methods);
    return problem(c, 405, 'MethodNotAllowed', `This address takes ${methods} only.`);
  };

/** The answer to a handler's error: none if the client has gone, else 500 (a bug in the sandbox). */
export const onError = (error: Error, c: Context<SandboxEnv>): Response => {
  if (c.env.outgoing.socket?.destroyed ?? true) return RESPONSE_ALREADY_SENT;
  return problem(c, 500, 'InternalError', error.message);
};
