/**
 * The page (from 1) that a protocol list request asks for. `Page` takes precedence over `cursor`, its deprecated alias
 * that counts from 0. Undefined if the parameter used is not such a number.
 */
export const readPage = (page: string | undefined, cursor: string | undefined): number | undefined => {
  if (page !== undefined) return readInteger(page, 1);
  const fromZero = readInteger(cursor ?? '0', 0);
  return fromZero === undefined ? undefined : fromZero + 1;
};

const readInteger = (text: string, least: number): number | undefined =>
  /^\d{1,9}$/.test(text) && Number(text) >= least ? Number(text) : undefined;
