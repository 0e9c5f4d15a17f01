/** The installed program: the app in its window, or the command line if there is a command. */
import { app } from 'electron';
import { isCommand } from '../shared/host-options.ts';
import { runDesktop } from './run-desktop.ts';
import { programArgs, restoreExtraAuthorities } from './start.ts';

// Awaited, as Electron is not ready before this module has run.
await restoreExtraAuthorities();
const args = programArgs(process.argv, app.isPackaged);

/** Without a display, no window can be shown. */
const hasNoDisplay = app.commandLine.getSwitchValue('ozone-platform') === 'headless';

if (isCommand(args) || hasNoDisplay) {
  // A window starts without the code of the commands.
  const { runCommand } = await import('./run-command.ts');
  runCommand(isCommand(args) ? args : []);
} else {
  runDesktop();
}
