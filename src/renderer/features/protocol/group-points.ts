import type { InspectionPoint } from '../../../contract/resources.ts';
import { severityName } from '../../domain/protocols/severity.ts';
import { t } from '../../words/words.ts';

type PointGroup = { readonly name: string; readonly points: readonly InspectionPoint[] };

const names = {
  Category: (category: string) => category || t('protocol.noCategory'),
  Severity: severityName,
};

/** `points` by the name of their `field`, in the order in which they first have each. */
export const groupPoints = (
  points: readonly InspectionPoint[],
  field: 'Category' | 'Severity' = 'Category',
): readonly PointGroup[] =>
  [...Map.groupBy(points, (point) => names[field](point[field]))].map(([name, grouped]) => ({ name, points: grouped }));
