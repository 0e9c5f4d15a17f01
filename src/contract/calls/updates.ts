/** Newer versions of the app. */
import { z } from 'zod';
import { call, nothing } from './call.ts';

export const updatesCalls = {
  /** Looks for a newer version now. What is found is in the state. Errors: `app/unsupported` where updates are off. */
  check: call(nothing, z.void()),
  /** Ends the app, installs what was downloaded and starts it again. Errors: `update/busy`, `update/missing`. */
  install: call(nothing, z.void()),
};
