/** The schema of cache.sqlite. Add to the end; never edit what has been released. */
import type { Migrations } from '../sqlite.ts';

export const cacheMigrations: Migrations = [
  `
  -- Every protocol seen in any list, for lists and searches without a network.
  CREATE TABLE protocol (
    connection TEXT NOT NULL,
    id         TEXT NOT NULL,
    place      INTEGER NOT NULL, -- where the service's own order had it when it was last seen
    search     TEXT NOT NULL,    -- lower case Address, City, ZipCode, FacilityId
    value      TEXT NOT NULL,    -- ProtocolSummary as JSON
    fetched_ms INTEGER NOT NULL,
    PRIMARY KEY (connection, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX protocol_by_place ON protocol (connection, place, id);

  -- Whole answers of the other reads, by name: 'assignments/ID', 'points/ID', 'projects/COUNTY', 'events'.
  CREATE TABLE answer (
    connection TEXT NOT NULL,
    name       TEXT NOT NULL,
    value      TEXT NOT NULL,
    unreadable INTEGER NOT NULL,
    fetched_ms INTEGER NOT NULL,
    PRIMARY KEY (connection, name)
  ) STRICT, WITHOUT ROWID;
  `,
];
