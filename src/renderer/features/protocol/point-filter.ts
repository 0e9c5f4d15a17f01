/** Which inspection points are shown. */
import type { InspectionPoint } from '../../../contract/resources.ts';

export type PointFilter = {
  /** A value from the service; undefined matches all. */
  readonly severity: string | undefined;
  readonly answer: string | undefined;
  readonly withPicture: boolean;
};

export const everyPoint: PointFilter = { severity: undefined, answer: undefined, withPicture: false };

/** The `points` that match `filter`. */
export const filterPoints = (points: readonly InspectionPoint[], filter: PointFilter): readonly InspectionPoint[] =>
  points.filter(
    ({ Severity, Answer, HasImage }) =>
      (filter.severity === undefined || Severity === filter.severity) &&
      (filter.answer === undefined || Answer === filter.answer) &&
      (!filter.withPicture || HasImage),
  );

/** The different values of `field`, the most frequent first. */
export const choicesOf = (points: readonly InspectionPoint[], field: 'Severity' | 'Answer'): readonly string[] =>
  [...Map.groupBy(points, (point) => point[field])]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([value]) => value);
