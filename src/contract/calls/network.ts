/** How other machines are reached. */
import { z } from 'zod';
import { EnteredPassword } from '../proxy-password.ts';
import { call, nothing } from './call.ts';

export const networkCalls = {
  /** Keeps the password in the keychain, and tries everything again that waited for it. */
  enterProxyPassword: call(EnteredPassword, z.void()),
  /** The person does not want to enter it now. */
  dismissProxyPassword: call(nothing, z.void()),
  /** Opens a file picker for a PEM file of authorities. Errors: `app/unsupported`, `network/ca-file`, `settings/managed`. */
  pickCaFile: call(nothing, z.void()),
  forgetCaFile: call(nothing, z.void()),
};
