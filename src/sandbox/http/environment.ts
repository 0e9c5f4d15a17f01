import type { HttpBindings } from '@hono/node-server';

/** The body of a request as it arrives. */
export type Body = AsyncIterable<Uint8Array>;

/** What the sandbox's middleware and handlers share in a request's context. */
export type SandboxEnv = {
  Bindings: HttpBindings;
  Variables: {
    /** How a fault transforms the request body of a storage-put before the handler reads it. */
    throughFault?: (body: Body) => Body;
    /** Whether a fault stores the first half of a storage-put only. */
    storesHalf?: boolean;
    /** Whether a fault treats the signed URL as expired. */
    signatureExpired?: boolean;
  };
};
