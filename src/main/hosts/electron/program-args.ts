/**
 * The program's own arguments in `argv`. Not packaged, Electron's own options come first, and then the app's folder.
 */
export const programArgs = (argv: readonly string[], isPackaged: boolean): readonly string[] => {
  const args = argv.slice(1);
  return isPackaged ? args : args.slice(args.findIndex((arg) => !arg.startsWith('-')) + 1);
};
