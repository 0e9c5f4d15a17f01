/** Orderable events. */
import { z } from 'zod';
import { reading } from '../reading.ts';
import { OrderableEvent } from '../resources.ts';
import { call, offline } from './call.ts';

export const orderableEventsCalls = {
  /** Interface operation 8. */
  list: call(z.object({ offline }), reading(z.array(OrderableEvent).readonly())),
};
