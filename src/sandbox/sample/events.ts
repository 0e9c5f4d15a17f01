import type { OrderableEvent } from '../../contract/resources.ts';
import { sampleId } from './ids.ts';

const names = [
  'Annual electrical inspection',
  'Thermographic survey',
  'Fire alarm service',
  'Sprinkler test',
  'Emergency lighting test',
  'Roof and façade survey',
  'Balcony railing check',
  'Ventilation balancing',
  'Legionella sampling',
  'Lift inspection',
  'Playground inspection',
  'Follow-up visit',
];

/** The events that can be ordered. */
export const sampleEvents = (seed: number): readonly OrderableEvent[] =>
  names.map((EventName, index) => ({ EventId: sampleId(seed, 'event', index), EventName }));
