import type { InspectionPoint } from '../../../contract/resources.ts';
import { t } from '../../words/words.ts';

type PointGroup = { readonly category: string; readonly points: readonly InspectionPoint[] };

/** `points` by Category, in the order in which the service first names each. */
export const groupPoints = (points: readonly InspectionPoint[]): readonly PointGroup[] =>
  [...Map.groupBy(points, (point) => point.Category)].map(([category, grouped]) => ({
    category: category || t('protocol.noCategory'),
    points: grouped,
  }));
