import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isMisleading } from '../../contract/visible-text.ts';
import { createMatchIndex } from './match-index.ts';
import { SAMPLE, targetAt } from './sample-targets.ts';

const words = fc.constantFrom(
  ...SAMPLE.flatMap(({ Address, City, LastName, FacilityId }) => [
    Address,
    Address.split(' ')[0] ?? '',
    City,
    LastName,
    FacilityId,
  ]),
  ...[
    '97',
    '12',
    '3',
    'B',
    'bilder',
    '2026-05-12',
    'Old',
    'Elveveein',
    'Kari',
    'Fjord Bygg',
    '-',
    '🏠',
    '5003',
    'Uke 12',
    'Tromsø',
  ],
);
const name = fc.oneof(
  { weight: 5, arbitrary: fc.array(words, { maxLength: 5 }).map((some) => some.join(' ')) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme' }) },
);
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
const index = createMatchIndex(SAMPLE);
const closedIds = new Set(
  SAMPLE.flatMap(({ AssignmentId, AssignmentStatus }) => (AssignmentStatus === 'CANCELLED' ? [AssignmentId] : [])),
);

test('certainties are probabilities: each from 0 to 1, all together at most 1, the best first, and closed ones last', () => {
  const isClosed = (id: string | undefined): boolean => closedIds.has(id ?? '');
  fc.assert(
    fc.property(path, fc.array(name, { maxLength: 3 }), (folder, fileNames) => {
      const { decision, candidates, vetoes } = index.match({ path: folder, fileNames });
      const certainties = candidates.map(({ certainty }) => certainty);
      expect(certainties.every((one) => one >= 0 && one <= 1)).toBe(true);
      expect(certainties.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(1 + 1e-9);
      for (const [at, { AssignmentId, certainty }] of candidates.entries()) {
        const before = candidates[at - 1];
        if (isClosed(before?.AssignmentId)) expect(isClosed(AssignmentId)).toBe(true);
        if (isClosed(before?.AssignmentId) === isClosed(AssignmentId))
          expect(certainty).toBeLessThanOrEqual((before?.certainty ?? 1) + 1e-9);
      }
      const isSent = vetoes.length === 0 && (certainties[0] ?? 0) >= 0.95;
      expect(decision).toBe(candidates.length === 0 ? 'none' : isSent ? 'send' : 'ask');
    }),
  );
});

test('neither the order of the assignments nor folders matched before make a difference', () => {
  fc.assert(
    fc.property(
      fc.shuffledSubarray([...SAMPLE], { minLength: SAMPLE.length }),
      fc.array(path, { minLength: 1, maxLength: 4 }),
      (targets, folders) => {
        const other = createMatchIndex([...targets, ...targets.slice(0, 5)]);
        const there = folders.map((folder) => other.match({ path: folder }));
        const back = folders.toReversed().map((folder) => createMatchIndex(SAMPLE).match({ path: folder }));
        expect(there).toEqual(back.toReversed());
      },
    ),
    { numRuns: 40 },
  );
});

test('an assignment elsewhere never makes a folder go where it did not go before', () => {
  const far = targetAt(900, 'Zwölfapostelgasse 77', 'Klagenfurt', {
    FirstName: 'Xaver',
    LastName: 'Quendler',
    Performer: 'Wörthersee KG',
  });
  const more = createMatchIndex([...SAMPLE, far]);
  fc.assert(
    fc.property(path, (folder) => {
      const [before, after] = [index.match({ path: folder }), more.match({ path: folder })];
      if (after.decision === 'send') expect(after.candidates[0]?.AssignmentId).toBe(before.candidates[0]?.AssignmentId);
    }),
  );
});

test('a folder named by a whole id goes to its assignment, whatever the folders around it are called', () => {
  const above = fc.array(
    name.filter((one) => !one.includes('FAC-') && !isMisleading(`a/${one}`)),
    { maxLength: 4 },
  );
  const target = fc.constantFrom(...SAMPLE.filter(({ AssignmentId }) => !closedIds.has(AssignmentId)));
  fc.assert(
    fc.property(above, target, fc.boolean(), fc.boolean(), (names, { AssignmentId, FacilityId }, isWhole, hasMore) => {
      const own = `${isWhole ? AssignmentId : FacilityId}${hasMore ? ' bilder' : ''}`;
      const { decision, candidates } = index.match({ path: [...names, own].join('/') });
      expect([decision, candidates[0]?.AssignmentId]).toEqual(['send', AssignmentId]);
    }),
  );
});

test('a second assignment at the same address, told apart by nothing, makes every folder of it a question', () => {
  for (const target of SAMPLE) {
    const twin = { ...target, AssignmentId: target.AssignmentId.replace(/^a/, 'b') };
    const { decision } = createMatchIndex([...SAMPLE, twin]).match({ path: `${target.Address} ${target.City}` });
    expect(decision).not.toBe('send');
  }
});
