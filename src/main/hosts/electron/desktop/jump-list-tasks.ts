/** The tasks that Windows lists for the app's button in the taskbar and in the Start menu. Pure, so that they can be tested. */
import type { Task } from 'electron';
import type { Speech } from '../../../../words/speech/speech.ts';
import type { StartTask } from '../../shared/host-options.ts';
import type { DesktopStatus } from './desktop-status.ts';

/** How the tasks start this program. */
export type Launch = {
  /** The executable, whose icon they have. */
  readonly program: string;
  /** Arguments before that of the task: the app's folder if it is not packaged, and its data directory if that is given. */
  readonly args: readonly string[];
};

/** The tasks that are possible now. Each starts the program again, which hands it over to the one that runs. */
export const jumpListTasks = (
  { program, args }: Launch,
  { active, paused }: Pick<DesktopStatus, 'active' | 'paused'>,
  { t }: Speech<'host'>,
): readonly Task[] => {
  const task = (name: StartTask, title: string): Task => ({
    program,
    arguments: [...args, `--task=${name}`].map(quoted).join(' '),
    iconPath: program,
    iconIndex: 0,
    title,
    description: title,
  });
  return [
    task('new-upload', t('menu.newUpload')),
    ...(active.length > 0 ? [task('pause-uploads', t('tray.pause'))] : []),
    ...(paused.length > 0 ? [task('resume-uploads', t('tray.resume'))] : []),
  ];
};

/** An argument as programs of Windows read it (CommandLineToArgvW): backslashes count only before a quotation mark. */
export const quoted = (argument: string): string =>
  /^[^\s"]+$/.test(argument) ? argument : `"${argument.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`;
