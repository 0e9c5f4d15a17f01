/** The place where a person was when they left the app, as it is remembered for their next start. */
import { z } from 'zod';
import type { Connection } from '../../contract/connection.ts';
import { ViewValue } from '../../contract/preferences.ts';
import { Place, sectionOf } from './places.ts';

/** A place together with the service it belongs to: at another one its ids mean nothing. */
const LastPlace = z.object({ service: z.string(), place: Place });

/** Tells one service from another. */
export const serviceKey = ({ baseUrl, authUrl, clientId }: Connection): string => `${baseUrl} ${authUrl} ${clientId}`;

/** The place that `remembered` holds; undefined where it was at another service, or is no place. */
export const readLastPlace = (remembered: unknown, connection: Connection): Place | undefined => {
  const last = LastPlace.safeParse(remembered).data;
  return last?.service === serviceKey(connection) ? last.place : undefined;
};

/** `place` as it is remembered; where it is longer than main takes, the list it lies under. */
export const toLastPlace = (place: Place, connection: Connection): ViewValue => {
  const service = serviceKey(connection);
  // Through JSON: what is undefined is not there.
  const whole: unknown = JSON.parse(JSON.stringify({ service, place }));
  return ViewValue.safeParse(whole).data ?? { service, place: { name: sectionOf(place) ?? 'overview' } };
};
