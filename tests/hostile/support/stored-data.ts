/** Tests of damaged data directories: the app has to start, or to report a code that says why not. */
import { describe, test } from 'vitest';
import { damages } from './hostile-home.ts';
import { useHostileService } from './hostile-service.ts';
import { expectNamed } from './open-home.ts';
import { useUsedHome } from './used-home.ts';

/** Tests one in `oneIn` changes of each group, beginning with the first. */
export const testStoredData = (oneIn: number): void => {
  const copy = useUsedHome(useHostileService());
  describe.each(Object.entries(damages))('%s', (_group, all) => {
    for (const damage of all.filter((_, index) => index % oneIn === 0)) {
      test(`A3: ${damage.name}`, () => expectNamed(copy, damage));
    }
  });
};
