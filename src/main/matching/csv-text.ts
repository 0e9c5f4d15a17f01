const UTF_16_LE = [0xff, 0xfe];
const UTF_16_BE = [0xfe, 0xff];

/**
 * The text of a CSV file as spreadsheets save it: UTF-8, UTF-16 with a byte order mark ("Unicode text"), or else in the code
 * page of western Windows, which is what "CSV" means to Excel there.
 */
export const csvText = (bytes: Uint8Array): string => {
  const startsWith = (mark: readonly number[]): boolean => mark.every((byte, at) => bytes[at] === byte);
  if (startsWith(UTF_16_LE)) return new TextDecoder('utf-16le').decode(bytes);
  if (startsWith(UTF_16_BE)) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
};
