import { app } from 'electron';
import type { Speech } from '../../../../words/speech/speech.ts';
import type { DesktopStatus } from './desktop-status.ts';
import { jumpListTasks, type Launch } from './jump-list-tasks.ts';

/** Answers a function that shows the tasks for a status, on Windows. */
export const createJumpList = (launch: Launch): ((status: DesktopStatus, speech: Speech<'host'>) => void) => {
  let shown = '';
  return (status, speech) => {
    if (process.platform !== 'win32') return;
    const tasks = jumpListTasks(launch, status, speech);
    const now = JSON.stringify(tasks);
    if (now === shown) return;
    shown = now;
    app.setUserTasks([...tasks]);
  };
};
