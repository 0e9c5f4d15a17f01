/** What a person can set. */
import { Preferences } from '../preferences.ts';
import { call } from './call.ts';

export const preferencesCalls = {
  set: call(Preferences.partial(), Preferences),
};
