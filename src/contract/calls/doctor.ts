/** Whether the app has what it needs, and what support needs to know. */
import { z } from 'zod';
import { DoctorReport } from '../doctor.ts';
import { call, nothing, savedFile } from './call.ts';

export const doctorCalls = {
  /** Runs all checks; a new run ends the one before. Errors: `app/cancelled`. */
  run: call(nothing, DoctorReport),
  cancel: call(nothing, z.void()),
  /**
   * Saves the last report, the log and sums of the uploads as a zip file where the person chooses; undefined if they chose
   * nothing. Errors: `app/unsupported`, `data/unwritable`, `output/…`.
   */
  saveBundle: call(nothing, savedFile),
};
