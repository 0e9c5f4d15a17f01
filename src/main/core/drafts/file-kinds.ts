/** What is remarkable about a file by its name alone. */

/** Types that run when they are opened; services and mail filters often refuse them. */
const EXECUTABLE =
  /\.(exe|msi|msix|bat|cmd|com|scr|pif|cpl|dll|js|jse|vbs|vbe|wsf|wsh|hta|ps1|psm1|reg|lnk|url|app|dmg|pkg|command|sh|run|appimage|deb|rpm|jar|apk)$/i;

export const isExecutable = (name: string): boolean => EXECUTABLE.test(name);

/** The longest name, in bytes of UTF-8, that file systems and storages take. */
const LONGEST_NAME_BYTES = 255;

/** Such a name is shortened on the assignment. */
export const isTooLong = (name: string): boolean =>
  name.length > LONGEST_NAME_BYTES / 4 && Buffer.byteLength(name) > LONGEST_NAME_BYTES;
