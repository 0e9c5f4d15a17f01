import type { HttpBindings } from '@hono/node-server';

/** The body of a request as it arrives. */
export type Body = AsyncIterable<Uint8Array>;

/** What the sandbox's middleware and handlers share in a request's context. */
export type SandboxEnv = {
  Bindings: HttpBindings;
  Variables: {
    /** A fault's hand on the request body of a storage-put: the handler reads through it. */
    throughFault?: (body: Body) => Body;
    /** A fault has declared the signed Url expired. */
    signatureExpired?: boolean;
  };
};
