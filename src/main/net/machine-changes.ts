/** Notices that the machine slept, or that it joined or left a network. */

import { networkInterfaces } from 'node:os';
import { steadyNow } from '../async/clock.ts';

/**
 * The state of the machine. `batteryPercent`: the charge of a battery that is discharging; absent on mains power, or if
 * unknown.
 */
export type MachineState = { readonly batteryPercent?: number | undefined; readonly isMetered: boolean };

const EVERY_MS = 5_000;
/**
 * A timer that is late by more than this shows that the machine slept. Even on a busy machine, timers are hardly ever
 * this late.
 */
const JUMP_MS = 30_000;

/** Creates a function that is called every `everyMs`, and returns whether this call is more than `JUMP_MS` late. */
export const createJumpDetector = (now: () => number, everyMs: number): (() => boolean) => {
  let lastMs = now();
  return () => {
    const sinceMs = now() - lastMs;
    lastMs += sinceMs;
    return sinceMs > everyMs + JUMP_MS;
  };
};

/** Calls `onWake` after each sleep of more than `JUMP_MS`, until the returned function is called. */
export const watchForWake = (onWake: () => void): (() => void) => {
  const jumped = createJumpDetector(steadyNow, EVERY_MS);
  const timer = setInterval(() => jumped() && onWake(), EVERY_MS).unref();
  return () => clearInterval(timer);
};

const ownAddresses = (): string =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .flatMap(({ internal, cidr }) => (internal || cidr === null ? [] : cidr))
    .sort()
    .join(' ');

/**
 * Calls `onChange` when the machine's network addresses differ from those at the last check, until the returned
 * function is called.
 */
export const watchForNetworkChange = (onChange: () => void): (() => void) => {
  let before = ownAddresses();
  const look = (): void => {
    const now = ownAddresses();
    if (now === before) return;
    before = now;
    onChange();
  };
  const timer = setInterval(look, EVERY_MS).unref();
  return () => clearInterval(timer);
};
