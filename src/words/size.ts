const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** The number of digits: two significant digits for a short number, no decimals for a longer one. */
const digits = { maximumSignificantDigits: 2, maximumFractionDigits: 0, roundingPriority: 'morePrecision' } as const;

/** Converts `bytes` to the unit that fits. Returns the number, and the options for `Intl.NumberFormat`. */
export const sizeInUnit = (bytes: number): readonly [value: number, options: Intl.NumberFormatOptions] => {
  // 999.5 of a unit would be rounded to 1,000, which is 1 of the next unit.
  const power = UNITS.findIndex((_, index) => bytes < 999.5 * 1000 ** index || index === UNITS.length - 1);
  const unit = UNITS[power] ?? 'byte';
  const unitDisplay = unit === 'byte' ? 'long' : 'short';
  return [bytes / 1000 ** power, { style: 'unit', unit, unitDisplay, ...digits }];
};

/** Writes `bytes` in the unit that fits, as is usual in `locale` (a BCP 47 tag). */
export const formatSize = (bytes: number, locale: string): string => {
  const [value, options] = sizeInUnit(bytes);
  return new Intl.NumberFormat(locale, options).format(value);
};

/** Formats a share from 0 to 1 in whole percent, rounded down, so that "100 %" is shown only if everything is done. */
export const wholePercent: Intl.NumberFormatOptions = { style: 'percent', roundingMode: 'floor' };
