import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isMisleading } from '../../contract/text.ts';
import { createMatchIndex } from './match-index.ts';
import { SAMPLE, targetAt } from './testing/sample-targets.ts';

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

test('an assignment elsewhere makes no other one more certain, and no folder go where it did not go before', () => {
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
      for (const { AssignmentId, certainty } of after.candidates) {
        const alone = index.certaintyOf({ path: folder }, AssignmentId)?.certainty ?? 0;
        if (AssignmentId !== far.AssignmentId) expect(certainty, folder).toBeLessThanOrEqual(alone + 1e-9);
      }
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

test('a number or a town that nothing explains never makes an assignment more certain', () => {
  const target = fc.constantFrom(...SAMPLE.filter(({ AssignmentId }) => !closedIds.has(AssignmentId)));
  const more = fc.oneof(
    fc.integer({ min: 1, max: 999 }).map(String),
    fc.constantFrom('Zwolkendorf', 'Lower Quendle', 'Östra Frökinge', '7 B', 'lgh 1204', '3. tv'),
  );
  fc.assert(
    fc.property(target, more, fc.boolean(), ({ AssignmentId, Address, City }, word, hasCity) => {
      fc.pre(!word.split(' ').some((one) => Address.includes(one)));
      const path = hasCity ? `${Address}, ${City}` : Address;
      const before = index.certaintyOf({ path }, AssignmentId)?.certainty ?? 0;
      for (const longer of [`${path} ${word}`, `${word}, ${path}`, `${path}/${word}`, `${word}/${path}`]) {
        const after = index.certaintyOf({ path: longer }, AssignmentId)?.certainty ?? 0;
        expect(after, longer).toBeLessThanOrEqual(before + 1e-9);
      }
    }),
  );
});

test('another assignment at or near an address makes hardly any more certain', () => {
  const other = fc.constantFrom(
    targetAt(901, 'Elveveien 97 B', 'Bergen', { LastName: 'Quendler' }),
    targetAt(902, 'Storgata 12', 'Tromsø', { LastName: 'Quendler' }),
    targetAt(903, '109 Station Lane', 'York', { LastName: 'Quendler' }),
  );
  const target = fc.constantFrom(...SAMPLE);
  fc.assert(
    fc.property(other, target, (added, { AssignmentId, Address }) => {
      const before = index.certaintyOf({ path: Address }, AssignmentId)?.certainty ?? 0;
      const after = createMatchIndex([...SAMPLE, added]).certaintyOf({ path: Address }, AssignmentId)?.certainty ?? 0;
      expect(after, Address).toBeLessThanOrEqual(before + 0.02);
    }),
    { numRuns: 40 },
  );
});

test('where the same address is written in another way, no folder of it is sent', () => {
  const kinds = [
    ['Street', 'St'],
    ['Road', 'Rd'],
    ['Lane', 'Ln'],
  ] as const;
  const others = kinds.flatMap(([kind], row) =>
    Array.from({ length: 40 }, (_, at) =>
      targetAt(300 + row * 40 + at, `${at + 10} Haw${'abcdefghij'[at % 10]}thorne${row} ${kind}`, 'Leeds'),
    ),
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...kinds),
      fc.integer({ min: 1, max: 9 }),
      fc.constantFrom('', 'York', 'survey', '2026-05-12'),
      fc.boolean(),
      fc.constantFrom('', ', Flat 2'),
      ([long, short], number, more, isShort, flat) => {
        const both = [
          targetAt(1, `${number} Rivelin ${long}${flat}`, 'York'),
          targetAt(2, `${number} Rivelin ${short}${flat}`, 'York'),
        ];
        const { decision } = createMatchIndex([...others, ...both]).match({
          path: `${number} Rivelin ${isShort ? short : long}${flat} ${more}`.trim(),
        });
        expect(decision).toBe('ask');
      },
    ),
    { numRuns: 40 },
  );
});

test('two assignments that explain the same of a name are a question, whatever else is known of them', () => {
  const target = fc.constantFrom(...SAMPLE.filter(({ AssignmentId }) => !closedIds.has(AssignmentId)));
  const more = fc.constantFrom('', '26-3988', '4711', 'bilder', 'Uke 12', '2019-02-03', '(2)', 'FDV', 'fotos tak');
  fc.assert(
    fc.property(target, more, more, fc.boolean(), fc.boolean(), fc.boolean(), (one, before, after, ...has) => {
      const [hasCity, hasCode, hasDate] = has;
      const twin = {
        ...one,
        AssignmentId: one.AssignmentId.replace(/^a/, 'b'),
        FirstName: 'Xaver',
        LastName: 'Quendler',
        Performer: 'Wörthersee KG',
        FacilityId: 'FAC-900900',
        StartTime: hasDate ? one.StartTime + 40 * 86_400 : 0,
        ZipCode: hasCode ? '4711' : '',
      };
      const path = [before, `${one.Address}${hasCity ? `, ${one.City}` : ''}`, after].filter(Boolean).join(' ');
      fc.pre(!(hasCode && path.includes('4711')));
      expect(createMatchIndex([...SAMPLE, twin]).match({ path }).decision, path).not.toBe('send');
    }),
    { numRuns: 150 },
  );
});

test('a name with an invisible character is a question, wherever the character stands', () => {
  const target = fc.constantFrom(...SAMPLE);
  const invisible = fc.constantFrom('\u200B', '\u00AD', '\u2060', '\u202E');
  fc.assert(
    fc.property(target, invisible, fc.nat(), fc.boolean(), ({ AssignmentId, Address, City }, sign, place, isId) => {
      const name = isId ? AssignmentId : `${Address}, ${City}`;
      const at = place % (name.length + 1);
      const path = `Jobs/${name.slice(0, at)}${sign}${name.slice(at)}`;
      const { decision, vetoes } = index.match({ path });
      expect(decision, path).not.toBe('send');
      expect(vetoes.map(({ signal }) => signal)).toContain('characters');
    }),
  );
});
