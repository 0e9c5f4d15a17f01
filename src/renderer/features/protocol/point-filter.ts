/** Which inspection points are shown. */
import type { InspectionPoint } from '../../../contract/resources.ts';

export type PointFilter = {
  /** Words that all stand somewhere in what a point says. */
  readonly text: string;
  /** A value from the service; undefined matches all. */
  readonly severity: string | undefined;
  readonly answer: string | undefined;
  readonly withPicture: boolean;
};

export const everyPoint: PointFilter = { text: '', severity: undefined, answer: undefined, withPicture: false };

/** Without capitals and the marks of letters: “Über” is found by “uber”. */
const fold = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();

const textOf = (point: InspectionPoint): string =>
  [point.InspectionPointName, point.Description, point.Category, point.ProductType, point.SpecificReference].join(' ');

/** The `points` that match `filter`. */
export const filterPoints = (points: readonly InspectionPoint[], filter: PointFilter): readonly InspectionPoint[] => {
  const words = fold(filter.text).split(/\s+/).filter(Boolean);
  const says = (point: InspectionPoint): boolean => {
    const folded = fold(textOf(point));
    return words.every((word) => folded.includes(word));
  };
  return points.filter(
    (point) =>
      (filter.severity === undefined || point.Severity === filter.severity) &&
      (filter.answer === undefined || point.Answer === filter.answer) &&
      (!filter.withPicture || point.HasImage) &&
      (words.length === 0 || says(point)),
  );
};

/** The different values of `field`, the most frequent first. */
export const choicesOf = (points: readonly InspectionPoint[], field: 'Severity' | 'Answer'): readonly string[] =>
  [...Map.groupBy(points, (point) => point[field])]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([value]) => value);
