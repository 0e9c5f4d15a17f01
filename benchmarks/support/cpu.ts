/** Processor time of processes, user and system together. Linux only. */
import { readFileSync } from 'node:fs';

/** The kernel's unit of times in /proc. */
const TICKS_PER_S = 100;

/** What all processes that this one started, and which have ended, took in seconds. */
export const endedChildrenCpuSeconds = (): number => timesOf('self', 'cutime') ?? 0;

/** What a running process has taken in seconds; undefined once it has ended. */
export const cpuSecondsOf = (pid: number | undefined): number | undefined => timesOf(pid, 'utime');

/** The positions of the two times in /proc/PID/stat (proc(5)), counted after the name, which may contain anything. */
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
