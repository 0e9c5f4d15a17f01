/** Chromium's switches that build/linux/inspection-desk.sh writes before all others. */
const LAUNCHER_SWITCH = /^--(log-level|ozone-platform)=/;

/**
 * The program's own arguments in `argv`. Not packaged, Electron's own options come first, and then the app's folder.
 */
export const programArgs = (argv: readonly string[], isPackaged: boolean): readonly string[] => {
  const args = argv.slice(1);
  const first = isPackaged
    ? args.findIndex((arg) => !LAUNCHER_SWITCH.test(arg))
    : args.findIndex((arg) => !arg.startsWith('-')) + 1;
  return first < 0 ? [] : args.slice(first);
};

/** This program, as a system starts it. */
type Program = { readonly isPackaged: boolean; readonly appPath: string };

/**
 * The arguments of the handler of the app's scheme, before the address. `homeArgs` make an unpackaged one open the same data
 * directory. Behind `--` Chromium, too, takes nothing in an address for an option.
 */
export const handlerArgs = ({ isPackaged, appPath }: Program, homeArgs: readonly string[]): readonly string[] => [
  ...(isPackaged ? [] : [appPath, ...homeArgs]),
  '--',
];

/** The arguments of a task of the taskbar, before its own. `homeArgs` make it open the same data directory. */
export const taskArgs = ({ isPackaged, appPath }: Program, homeArgs: readonly string[]): readonly string[] => [
  ...(isPackaged ? [] : [appPath]),
  ...homeArgs,
];
