/** What the window remembers. */
import { z } from 'zod';
import { ViewKey, ViewValue } from '../preferences.ts';
import { call } from './call.ts';

export const viewCalls = {
  /** Remembers part of the window's state across restarts; null removes it. */
  remember: call(z.object({ key: ViewKey, value: ViewValue }), z.void()),
};
