/** Reads the processor time of processes, user and system together. Linux only. */
import { readFileSync } from 'node:fs';

/** The kernel's unit of time in /proc. */
const TICKS_PER_S = 100;

/** The processor time, in seconds, of all processes that this process started and that have ended. */
export const endedChildrenCpuSeconds = (): number => timesOf('self', 'cutime') ?? 0;

/** The processor time of a running process so far, in seconds; undefined once the process has ended. */
export const cpuSecondsOf = (pid: number | undefined): number | undefined => timesOf(pid, 'utime');

/**
 * The positions of the user times in /proc/PID/stat (proc(5)), counted after the name, which may contain any
 * characters. The system times follow them.
 */
const FIELDS = { utime: 11, cutime: 13 } as const;

const timesOf = (pid: number | 'self' | undefined, field: keyof typeof FIELDS): number | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const at = FIELDS[field];
    return (Number(fields[at]) + Number(fields[at + 1])) / TICKS_PER_S;
  } catch {
    return undefined;
  }
};
