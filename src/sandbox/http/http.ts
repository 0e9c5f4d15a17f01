import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

export type Body = AsyncIterable<Uint8Array>;

export type SandboxEnv = {
  Bindings: HttpBindings;
  Variables: {
    /** Causes a fault: transforms the request body of a storage-put before the handler reads it. */
    throughFault?: (body: Body) => Body;
    storesHalf?: boolean;
    signatureExpired?: boolean;
  };
};

/**
 * Creates an error response, such as `{"error": {"code": "NotFound", "message": "…"}}`. The API documentation does not
 * specify the shape of errors.
 */
export const problem = (c: Context, status: ContentfulStatusCode, code: string, message: string): Response =>
  c.json({ error: { code, message } }, status);

export const notFound = (c: Context): Response => problem(c, 404, 'NotFound', 'There is nothing at this address.');

export const allowOnly =
  (methods: string) =>
  (c: Context): Response => {
    c.header('Allow', methods);
    return problem(c, 405, 'MethodNotAllowed', `This address takes ${methods} only.`);
  };

/**
 * Responds to an error that a handler threw: with 500, because it is a bug in the sandbox, or not at all if the client
 * has disconnected.
 */
export const onError = (error: Error, c: Context<SandboxEnv>): Response => {
  if (c.env.outgoing.socket?.destroyed ?? true) return RESPONSE_ALREADY_SENT;
  return problem(c, 500, 'InternalError', error.message);
};

/** The names of the routes, which statistics and fault rules use. The first eight are the operations. */
export const routeNames = [
  'list-protocols',
  'list-assignments',
  'list-inspection-points',
  'list-project-assignments',
  'sign-upload',
  'remove-file',
  'update-plan-after',
  'list-orderable-events',
  'authorize',
  'token',
  'storage-put',
] as const;
export type RouteName = (typeof routeNames)[number];

/** Whether `route` is one of the eight operations under /contractor, which require an access token. */
export const isOperation = (route: RouteName): boolean => !['authorize', 'token', 'storage-put'].includes(route);

/** Returns the token of an `Authorization: Bearer` header (RFC 6750 section 2.1); undefined if there is none. */
export const bearerToken = (authorization: string | undefined): string | undefined =>
  authorization?.match(/^Bearer +([\w.~+/-]+=*)$/i)?.[1];

/** The header with the control token, for the endpoints under /sandbox. */
export const controlHeader = 'x-sandbox-control';
