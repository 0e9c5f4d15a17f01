/** Which inspection points are to do. */
import type { InspectionPoint } from '../../../contract/resources.ts';
import { asksForAction, worstFirst } from '../../domain/protocols/severity.ts';

/**
 * Whether the inspector remarked on a point: it has a description, or a severity that asks for action. The answer does
 * not count, because the interface does not list its values.
 */
const hasRemark = ({ Description, Severity }: InspectionPoint): boolean =>
  Description.trim() !== '' || asksForAction(Severity);

/** The `points` with a remark, worst first, otherwise in the order of the service. */
export const remarksOf = (points: readonly InspectionPoint[]): readonly InspectionPoint[] =>
  worstFirst(points.filter(hasRemark), ({ Severity }) => Severity);
