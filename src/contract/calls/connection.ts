/** The connection to a service. */
import { Connection, ConnectionCheck } from '../connection.ts';
import { call, nothing } from './call.ts';

export const connectionCalls = {
  set: call(Connection.omit({ sample: true }), Connection),
  /** Whether a service and its sign-in answer at these addresses. Sends no token, follows no redirect, takes 8 s at most. */
  check: call(Connection.pick({ baseUrl: true, authUrl: true }), ConnectionCheck),
  /** Starts the embedded sandbox in its own process and connects to it. */
  useSample: call(nothing, Connection),
};
