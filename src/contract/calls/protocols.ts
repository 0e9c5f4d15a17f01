/** Inspection protocols and what belongs to one. */
import { z } from 'zod';
import { CachedProtocol } from '../cached.ts';
import { ProtocolTable, ProtocolTableQuery } from '../protocol-table.ts';
import { reading } from '../reading.ts';
import { AssignmentList, InspectionPoint, PageNumber, ProtocolPage } from '../resources.ts';
import { SearchText } from '../search.ts';
import { call, offline } from './call.ts';

const ofProtocol = z.object({ InspectionProtocolId: z.string().min(1), offline });

export const protocolsCalls = {
  /**
   * Interface operation 1. Without `Page` the service's first page. A read ends the one before it of the same `turn`, whose
   * text nobody waits for any more.
   */
  list: call(
    z.object({
      Page: PageNumber.optional(),
      Query: z.string().optional(),
      offline,
      turn: z.string().max(100).optional(),
    }),
    reading(ProtocolPage),
  ),
  /** Interface operation 2. */
  assignments: call(ofProtocol, reading(AssignmentList)),
  /** Interface operation 3. With `text` those points that have its words. */
  inspectionPoints: call(
    ofProtocol.extend({ text: SearchText.optional() }),
    reading(z.array(InspectionPoint).readonly()),
  ),
  /** A window of the offline data; the service is never asked. */
  table: call(ProtocolTableQuery, ProtocolTable),
  /** A protocol of the offline data. Errors: `cache/missing`. */
  get: call(ofProtocol.omit({ offline: true }), CachedProtocol),
};
