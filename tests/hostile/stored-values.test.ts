/** Values in the databases that the app cannot have written: the app starts, or says in a code why not. */
import { describe, test } from 'vitest';
import { damages } from './support/hostile-home.ts';
import { useHostileService } from './support/hostile-service.ts';
import { expectNamed } from './support/open-home.ts';
import { useUsedHome } from './support/used-home.ts';

const copy = useUsedHome(useHostileService());

describe.each(['ledger', 'outbox', 'cache'] as const)('%s', (group) => {
  for (const damage of damages[group]) test(`A3: ${damage.name}`, () => expectNamed(copy, damage));
});
