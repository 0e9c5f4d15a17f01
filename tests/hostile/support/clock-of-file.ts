/**
 * Loaded with Node's `--import`. Once the file CLOCK_FILE contains a number, the wall clock of the process and its
 * workers is off by this many milliseconds, as if a user or a time server had set it. Nothing else changes.
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
