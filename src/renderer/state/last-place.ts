/** The place that was open when the app was closed. */
import { z } from 'zod';
import type { Connection } from '../../contract/connection.ts';
import { ViewValue } from '../../contract/preferences.ts';
import { Place, sectionOf } from './places.ts';

/** A place and its service: the ids of one service mean nothing at another. */
const LastPlace = z.object({ service: z.string(), place: Place });

/** Tells one service from another. */
export const serviceKey = ({ baseUrl, authUrl, clientId }: Connection): string => `${baseUrl} ${authUrl} ${clientId}`;

/** The place in `remembered`; undefined if it belongs to another service or does not parse. */
export const readLastPlace = (remembered: unknown, connection: Connection): Place | undefined => {
  const last = LastPlace.safeParse(remembered).data;
  return last?.service === serviceKey(connection) ? last.place : undefined;
};

/** `place` as it is remembered; its list if it is too large for main. */
export const toLastPlace = (place: Place, connection: Connection): ViewValue => {
  const service = serviceKey(connection);
  // Through JSON, which leaves out undefined values.
  const whole: unknown = JSON.parse(JSON.stringify({ service, place }));
  return ViewValue.safeParse(whole).data ?? { service, place: { name: sectionOf(place) ?? 'overview' } };
};
