/** The connection to a service, and who is signed in there. */
import { z } from 'zod';
import { type ErrorCode, ErrorData } from './errors.ts';

/** Where the service is. `sample` marks the embedded sandbox ("Explore with sample data"). */
export const Connection = z.object({
  baseUrl: z.url({ protocol: /^https?$/ }),
  authUrl: z.url({ protocol: /^https?$/ }),
  clientId: z.string().min(1),
  /** Sent unchanged with the sign-in (RFC 6749 section 3.3); absent: not sent. */
  scope: z.string().min(1).optional(),
  /** Sends the client id with each refresh; absent: only if the service turned out to need it. */
  sendClientIdOnRefresh: z.boolean().optional(),
  sample: z.boolean().default(false),
});
export type Connection = z.infer<typeof Connection>;

/** What is wrong with the addresses of a connection; empty if a service and its sign-in answer. */
export const ConnectionCheck = z.object({ baseUrl: ErrorData.optional(), authUrl: ErrorData.optional() });
export type ConnectionCheck = z.infer<typeof ConnectionCheck>;

/** Who is signed in. `subject` is the `sub` of the access token where that is a JWT. `expiresAtMs`: since 1970. */
export const SessionStatus = z.discriminatedUnion('state', [
  z.object({ state: z.literal('signed-out'), reason: ErrorData.optional() }),
  z.object({ state: z.literal('waiting'), expiresAtMs: z.number() }),
  z.object({ state: z.literal('signed-in'), subject: z.string().optional() }),
]);
export type SessionStatus = z.infer<typeof SessionStatus>;

/** Whether an error says why there is no connection. Each call that needs a connection answers with it. */
export const isConnectionRefusal = (code: ErrorCode): boolean =>
  code.startsWith('connection/') || code === 'input/invalid';
