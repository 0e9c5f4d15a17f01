/** The entry that makes a Linux desktop start the app (Desktop Application Autostart Specification). Pure. */
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The option with which the app starts without its window. */
export const hiddenOption = '--hidden';

export const autostartFolder = (env: Readonly<Record<string, string | undefined>>): string =>
  join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'autostart');

/** The text of the entry for the program at the absolute path `program`. */
export const autostartEntry = (name: string, program: string): string =>
  `${['[Desktop Entry]', 'Type=Application', `Name=${name}`, `Exec=${quoted(program)} ${hiddenOption}`, 'Terminal=false'].join('\n')}\n`;

/**
 * As an argument of `Exec`: reserved characters after a backslash, percent signs doubled, and then every backslash doubled,
 * since it is the value of a string (Desktop Entry Specification, "The Exec key").
 */
const quoted = (path: string): string =>
  `"${path
    .replaceAll(/["`$\\]/g, '\\$&')
    .replaceAll('%', '%%')
    .replaceAll('\\', '\\\\')}"`;
