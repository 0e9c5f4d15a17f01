/** What is remarkable about a file by its name alone. */

/** Types that run when they are opened; services and mail filters often refuse them. */
const EXECUTABLE =
  /\.(exe|msi|msix|bat|cmd|com|scr|pif|cpl|dll|js|jse|vbs|vbe|wsf|wsh|hta|ps1|psm1|reg|lnk|url|app|dmg|pkg|command|sh|run|appimage|deb|rpm|jar|apk)$/i;

/**
 * Types that a program shows without running what is in them. Any other type may run code: a list of those that do would
 * never be complete.
 */
const DOCUMENT = new RegExp(
  `\\.(${[
    'pdf|txt|log|md|csv|tsv|rtf|json|xml|ifc|bcf|dwg|dxf|dwf|dwfx|rvt|skp|vsd|vsdx|mpp|pages|numbers|key',
    'doc|docx|dot|dotx|odt|xls|xlsx|xlsb|ods|ppt|pptx|pps|ppsx|odp|odg|one|eml|msg|zip',
    'jpg|jpeg|jpe|jfif|png|gif|bmp|tif|tiff|webp|heic|heif|avif|raw|dng|cr2|cr3|nef|arw|orf|rw2|psd|ai|eps',
    'mp4|m4v|mov|avi|mkv|webm|wmv|mpg|mpeg|3gp|mp3|m4a|wav|aac|ogg|flac|wma|amr',
  ].join('|')})$`,
  'i',
);

/** Whether the file may be opened in the system's program for it. */
export const isDocument = (name: string): boolean => DOCUMENT.test(name);

export const isExecutable = (name: string): boolean => EXECUTABLE.test(name);

/** The longest name, in bytes of UTF-8, that file systems and storages take. */
const LONGEST_NAME_BYTES = 255;

/** Such a name is shortened on the assignment. */
export const isTooLong = (name: string): boolean =>
  name.length > LONGEST_NAME_BYTES / 4 && Buffer.byteLength(name) > LONGEST_NAME_BYTES;
