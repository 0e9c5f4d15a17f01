/** Sample inspection points, with findings that fit their topic. */
import type { InspectionPoint } from '../../contract/resources.ts';
import { sampleId } from './ids.ts';
import { createRandom } from './prng.ts';

type Topic = {
  readonly category: string;
  readonly prefix: string;
  readonly products: readonly string[];
  readonly points: readonly string[];
  readonly findings: readonly string[];
};

const topics: readonly Topic[] = [
  {
    category: 'Electrical',
    prefix: 'EL',
    products: ['Distribution board', 'Socket outlet', 'Luminaire', 'Cable route'],
    points: [
      'Residual current device',
      'Earthing of exposed parts',
      'Labelling of circuits',
      'Temperature of terminals',
    ],
    findings: [
      'Circuit list is missing.',
      'Cover is cracked; live parts can be touched.',
      'Terminal shows signs of heat.',
    ],
  },
  {
    category: 'Fire safety',
    prefix: 'FS',
    products: ['Smoke detector', 'Fire door', 'Extinguisher', 'Emergency lighting'],
    points: ['Escape route is clear', 'Door closes by itself', 'Detector responds to test', 'Service label is valid'],
    findings: [
      'Door is held open by a wedge.',
      'Last service is more than a year ago.',
      'Goods stored on the escape route.',
    ],
  },
  {
    category: 'Structure',
    prefix: 'ST',
    products: ['Roof', 'Balcony', 'Façade', 'Foundation'],
    points: ['Cracks and settlement', 'Fastening of railings', 'Condition of roofing', 'Moisture in wood'],
    findings: ['Horizontal crack of about 2 mm.', 'Railing gives way by 30 mm.', 'Three tiles are displaced.'],
  },
  {
    category: 'Ventilation',
    prefix: 'VE',
    products: ['Air handling unit', 'Extract fan', 'Duct', 'Filter'],
    points: ['Air flow at terminals', 'Filter change', 'Noise level', 'Cleanliness of ducts'],
    findings: ['Air flow is 40 % below design.', 'Filter is clogged.', 'Grease in the extract duct.'],
  },
  {
    category: 'Plumbing',
    prefix: 'PL',
    products: ['Water heater', 'Floor drain', 'Mixing valve', 'Stop valve'],
    points: ['Leakage at joints', 'Hot water temperature', 'Access to stop valve', 'Drain is clean'],
    findings: ['Drip at the coupling under the sink.', 'Hot water reaches 48 °C only.', 'Stop valve cannot be turned.'],
  },
  {
    category: 'Accessibility',
    prefix: 'AC',
    products: ['Ramp', 'Lift', 'Entrance door', 'Handrail'],
    points: ['Clear width of door', 'Slope of ramp', 'Emergency call in lift', 'Contrast marking'],
    findings: ['Threshold is 32 mm high.', 'Emergency call is not answered.', 'Marking on glass is missing.'],
  },
];

const findingSeverities = ['LOW', 'LOW', 'MEDIUM', 'MEDIUM', 'HIGH', 'CRITICAL'];

/** The `count` inspection points of protocol number `protocolIndex`; about half of them carry a finding. */
export const samplePoints = (seed: number, protocolIndex: number, count: number): readonly InspectionPoint[] => {
  const random = createRandom(seed, 'points', protocolIndex);
  return Array.from({ length: count }, (_, index) => {
    const topic = random.pick(topics);
    const hasFinding = random.chance(0.5);
    return {
      ProtocolInspectionPointId: sampleId(seed, `point/${protocolIndex}`, index),
      InspectionPointName: random.pick(topic.points),
      ProductType: random.pick(topic.products),
      Category: topic.category,
      Answer: hasFinding ? 'Remark' : random.pick(['OK', 'OK', 'OK', 'Not applicable', 'Not inspected']),
      SpecificReference: `${topic.prefix} ${random.integer(1, 9)}.${random.integer(1, 24)}`,
      Severity: hasFinding ? random.pick(findingSeverities) : 'INFO',
      Description: hasFinding ? random.pick(topic.findings) : '',
      HasImage: hasFinding && random.chance(0.6),
    };
  });
};
