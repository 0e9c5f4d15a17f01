/**
 * By Node's `--import`: the wall clock of the process and of its workers is off by as many milliseconds as the file
 * CLOCK_FILE says, from the moment it does. Nothing else changes, as when a person or a time server sets it.
 */
import { readFileSync } from 'node:fs';

const realNow = Date.now;
const file = process.env.CLOCK_FILE ?? '';

const now = (): number => {
  try {
    return realNow() + Number(readFileSync(file, 'utf8'));
  } catch {
    return realNow();
  }
};

Date.now = now;
globalThis.Date = new Proxy(Date, {
  construct: (Real, parts: readonly unknown[]): Date => Reflect.construct(Real, parts.length > 0 ? parts : [now()]),
});
