import type { ConnectionServices } from './connection-services.ts';

/** The services of the connection in use, if any. The switch sets them; everything else reads them. */
export type PresentConnection = {
  readonly get: () => ConnectionServices | undefined;
  readonly set: (services: ConnectionServices | undefined) => void;
};

/** No connection is in use until one is set. */
export const createPresentConnection = (): PresentConnection => {
  let present: ConnectionServices | undefined;
  return {
    get: () => present,
    set: (services) => {
      present = services;
    },
  };
};
