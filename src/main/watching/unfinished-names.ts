/** Names that programs give to files while they write them, and to their locks. */

const UNFINISHED = [
  /^~\$/, // Office, while a document is open
  /^\.~lock\..*#$/, // LibreOffice
  /^~.*\.tmp$/i,
  /\.(tmp|temp|part|partial|crdownload|download|opdownload|filepart|!ut|aria2)$/i,
];

/** Whether the last part of `path` (with `/`) is the name of a file that is not complete yet, or not a document. */
export const isUnfinishedName = (path: string): boolean => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return UNFINISHED.some((pattern) => pattern.test(name));
};
