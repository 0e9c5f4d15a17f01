/** Which parts of a long list are held: windows of equal length, only those near what is in view. */

/** What is in view is mostly one of them: a short one is answered and shown sooner. */
export const windowLength = 50;

/** Rows so near to those in view are asked for before they come into it. */
const nearRows = 20;

export type Windows<Row> = {
  readonly total: number;
  /** By the window's number; window 0 holds the rows from 0. */
  readonly windows: ReadonlyMap<number, readonly Row[]>;
};

export const noWindows: Windows<never> = { total: 0, windows: new Map() };

/** The numbers of the windows that hold the rows from `first` to `last` and those near to them. */
export const windowsOf = (first: number, last: number): readonly number[] => {
  const from = Math.floor(Math.max(0, first - nearRows) / windowLength);
  const to = Math.floor((Math.max(first, last) + nearRows) / windowLength);
  return Array.from({ length: to - from + 1 }, (_, step) => from + step);
};

/** The row at `index`; undefined while its window is on its way. */
export const rowIn = <Row>({ windows }: Windows<Row>, index: number): Row | undefined =>
  windows.get(Math.floor(index / windowLength))?.[index % windowLength];

/** `rows`, read from the start of window `from` on, as windows. */
export const inWindows = <Row>(from: number, rows: readonly Row[]): ReadonlyMap<number, readonly Row[]> => {
  const count = Math.max(1, Math.ceil(rows.length / windowLength));
  return new Map(
    Array.from({ length: count }, (_, step) => [
      from + step,
      rows.slice(step * windowLength, (step + 1) * windowLength),
    ]),
  );
};

/** What is held after an answer: windows out of view are let go, they would grow stale. */
export const withWindows = <Row>(
  held: Windows<Row>,
  answered: ReadonlyMap<number, readonly Row[]>,
  total: number,
): Windows<Row> => {
  const near = [...answered.keys()];
  const kept = [...held.windows].filter(([number]) => near.some((other) => Math.abs(other - number) <= 1));
  return { total, windows: new Map([...kept, ...answered]) };
};
