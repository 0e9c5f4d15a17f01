/** Signing in and out. */
import { z } from 'zod';
import { SessionStatus } from '../connection.ts';
import { call, nothing } from './call.ts';

export const sessionCalls = {
  /** Opens the system browser; resolves when the sign-in has ended. */
  signIn: call(nothing, SessionStatus),
  cancelSignIn: call(nothing, z.void()),
  /** Opens the browser again for the sign-in in progress. Errors: `auth/cancelled` when there is none, `auth/browser`. */
  openAgain: call(nothing, z.void()),
  /** Copies the address of that sign-in, which the renderer never sees. Errors: `auth/cancelled`, `app/unsupported`. */
  copyAddress: call(nothing, z.void()),
  /** With `eraseCache` the offline data of this connection is cleared as well. */
  signOut: call(z.object({ eraseCache: z.boolean() }).optional(), z.void()),
};
