/** How much of the average a new duration is. */
const NEW = 0.2;

/** The average with one more duration, in ms; later ones count more. `averageMs`: 0 before the first one. */
export const movingAverage = (averageMs: number, ms: number): number =>
  averageMs === 0 ? ms : averageMs + (ms - averageMs) * NEW;
