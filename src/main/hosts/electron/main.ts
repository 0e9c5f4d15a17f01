/** The entry of the installed program: opens the app in its window, or runs a command. */
import { app } from 'electron';
import { isCommand } from '../shared/host-options.ts';
import { runDesktop } from './run-desktop.ts';
import { programArgs, restoreExtraAuthorities } from './start.ts';

// The module can wait here, because Electron becomes ready only after the module has run.
await restoreExtraAuthorities();
const args = programArgs(process.argv, app.isPackaged);

const hasNoDisplay = app.commandLine.getSwitchValue('ozone-platform') === 'headless';

if (isCommand(args) || hasNoDisplay) {
  // The code of commands is loaded only for a command, so that the window opens sooner.
  const { runCommand } = await import('./run-command.ts');
  runCommand(isCommand(args) ? args : []);
} else {
  await runDesktop();
}
