/** Tests the reasons to ask the user about a folder although one assignment fits it well. */
import { describe, expect, test } from 'vitest';
import { certainAssignment } from './assignment-level.ts';
import { createMatchIndex, type UnreadProtocol } from './match-index.ts';
import type { MatchTarget } from './targets.ts';
import { idOf, protocolAt, rulesFor, SAMPLE, targetAt } from './testing/sample-targets.ts';

const index = createMatchIndex(SAMPLE);
const decided = (path: string, { match } = index) => {
  const { decision, candidates, vetoes } = match({ path });
  return [decision, candidates[0]?.AssignmentId, ...vetoes.map(({ signal }) => signal)];
};
const withUnread = (...protocols: readonly UnreadProtocol[]) =>
  createMatchIndex(SAMPLE, { protocols, isPartial: false });

describe('nothing is certain that a list which was not read may overturn', () => {
  test('a protocol at the address makes a question of every folder there, and of no other', () => {
    const some = withUnread(protocolAt(1, 'Elveveien 97', 'Bergen'), protocolAt(2, 'elveveien 97', 'BERGEN'));
    for (const path of ['Elveveien 97', 'Elveveien 97, Bergen', 'Bergen/Elvevn. 97/bilder', 'Elvevien 97 Nordmann'])
      expect(some.match({ path }).vetoes).toEqual([{ signal: 'unread-here', found: '', against: true, count: 2 }]);
    expect(decided('109 Station Road, York', some)).toEqual(['send', idOf(2)]);
    expect(some.match({ path: 'Elveveien 97' })).toMatchObject({
      decision: 'ask',
      unread: [protocolAt(1, '', '').InspectionProtocolId, protocolAt(2, '', '').InspectionProtocolId],
    });
  });

  test('it may be written in another way, or lack what the folder says', () => {
    for (const [Address, City] of [
      ['ELVEVN. 97', ''],
      ['Elveveien 97 B', 'Bergen'],
      ['Elveveien 95-99', 'Bergen'],
      ['Elveveien', 'Bergen'],
      ['Elveveien 97', 'Bergen kommune'],
      ['', 'Bergen'],
      ['—', ''],
    ] as const)
      expect(decided('Elveveien 97', withUnread(protocolAt(1, Address, City)))[0], Address).not.toBe('send');
  });

  test('a folder for several houses waits for each of them', () => {
    const some = withUnread(protocolAt(1, 'Nygårdsgaten 98', 'Bergen'));
    expect(decided('Nygårdsgaten 97-99, Bergen')).toEqual(['send', idOf(24)]);
    expect(decided('Nygårdsgaten 97-99, Bergen', some)).toEqual(['ask', idOf(24), 'unread-here']);
  });

  test('one in another house, or in another town than the folder says, does not matter', () => {
    const others = withUnread(
      protocolAt(1, 'Elveveien 9', 'Bergen'),
      protocolAt(2, 'Elveveien 97', 'Tromsø'),
      protocolAt(3, 'Storgata 97', 'Bergen'),
    );
    expect(decided('Elveveien 97, Bergen', others)).toEqual(['send', idOf(1)]);
    expect(decided('Elveveien 97', others)).toEqual(['ask', idOf(1), 'unread-here']);
  });

  test('a town that is written for another counts where the postcode is the same', () => {
    const part = protocolAt(1, 'Elveveien 97', 'Tromsø', { ZipCode: '5003' });
    expect(decided('Elveveien 97, Bergen', withUnread(part))).toEqual(['ask', idOf(1), 'unread-here']);
  });

  test('a person can be a customer of any protocol that was not read', () => {
    const path = 'Amelia Whitaker York';
    expect(decided(path)).toEqual(['send', idOf(2)]);
    expect(decided(path, withUnread(protocolAt(1, 'Elveveien 97', 'Bergen')))).toEqual(['ask', idOf(2), 'unread']);
  });

  test('a facility is the place of all its protocols', () => {
    const [path, here] = ['FAC-100002 photos', protocolAt(1, 'Elsewhere 3', 'Leeds', { FacilityId: 'FAC-100002' })];
    expect(decided(path, withUnread(protocolAt(1, 'Elsewhere 3', 'Leeds')))).toEqual(['send', idOf(2)]);
    expect(decided(path, withUnread(here))).toEqual(['ask', idOf(2), 'unread-here']);
    expect(decided(path, withUnread({ ...here, FacilityId: '' }))).toEqual(['ask', idOf(2), 'unread-here']);
  });

  test('while the list of protocols is not whole, only a whole AssignmentId is certain', () => {
    const partial = createMatchIndex(SAMPLE, { protocols: [], isPartial: true });
    expect(decided('Elveveien 97, Bergen', partial)).toEqual(['ask', idOf(1), 'unread-list']);
    expect(decided('FAC-100002', partial)).toEqual(['ask', idOf(2), 'unread-list']);
    expect(decided(`${idOf(2)} bilder`, partial)).toEqual(['send', idOf(2)]);
    expect(decided(idOf(2).slice(0, 8), partial)[0]).not.toBe('send');
    expect(decided(`${idOf(2)} ${idOf(99)}`, partial)[0]).not.toBe('send');
    expect(certainAssignment(partial, { path: 'Inbox/Elveveien 97 Bergen/photos' }, {})).toBeUndefined();
  });

  test('no certainty that a person asks for is low enough', () => {
    const some = withUnread(protocolAt(1, 'Elveveien 97', 'Bergen'));
    expect(some.match({ path: 'Elveveien 97' }, { minCertainty: 0.1 }).decision).toBe('ask');
  });

  test('where nothing is known of the address but a protocol that was not read, a person is asked', () => {
    const some = withUnread(protocolAt(1, 'Kongens gate 8', 'Trondheim'));
    expect(decided('Kongens gate 8, Trondheim', some)).toEqual(['ask', undefined, 'unread-here']);
    expect(decided('Kongens gate 9, Trondheim', some)).toEqual(['none', undefined, 'unread']);
  });

  test('more than a thousand houses of one name hide none of them', () => {
    const town = (at: number): string =>
      (((at + 1) * 2_654_435_761) % 2 ** 32)
        .toString(16)
        .replaceAll(/./g, (digit) => 'abdefgklmnoprstu'[Number.parseInt(digit, 16)] ?? '');
    const many = Array.from({ length: 1_200 }, (_, at) => targetAt(1_000 + at, 'Kirkeveien 1', town(at)));
    const { match } = createMatchIndex(many, {
      protocols: [protocolAt(1, 'Kirkeveien 1', town(1100))],
      isPartial: false,
    });
    expect(match({ path: `Kirkeveien 1, ${town(900)}` })).toMatchObject({ decision: 'send' });
    expect(match({ path: `Kirkeveien 1, ${town(1100)}` })).toMatchObject({ decision: 'ask' });
  });
});

describe('B5: a name that is not what it looks like is a question', () => {
  test.each([
    'Elveveien 9\u200b7, Bergen',
    'Elveveien 97\u00ad, Bergen',
    '\u202eElveveien 97, Bergen',
    'Elvev\u0435ien 97, Bergen',
    'Elveveien 9\u0660, Bergen',
    'job\u2060s/Elveveien 97, Bergen',
  ])('%j', (path) => {
    const [decision, , veto] = decided(path);
    expect([decision, veto]).toEqual(['ask', 'characters']);
  });

  test('it is read as people see it, and shown by its code points', () => {
    const { candidates, vetoes } = index.match({ path: 'Elveveien 9\u200b7' });
    expect(candidates[0]?.AssignmentId).toBe(idOf(1));
    expect(vetoes).toContainEqual(expect.objectContaining({ found: 'Elveveien 9⟨U+200B⟩7' }));
  });

  test('so are the names of files that say where the folder belongs, and names below a job folder', () => {
    expect(index.match({ path: 'Bilder', fileNames: ['Elveveien 97.jpg'] }).decision).toBe('send');
    expect(index.match({ path: 'Bilder', fileNames: ['Elveveien 9\u200b7.jpg'] }).decision).toBe('ask');
    expect(index.match({ path: 'Elveveien 97', fileNames: ['IMG\u200b.jpg'] }).decision).toBe('send');
    expect(certainAssignment(index, { path: 'Inbox/Elveveien 97 Bergen/Kit\u200bchen' }, {})).toBeUndefined();
  });

  test('words of other scripts, and emoji, change no number', () => {
    expect(decided('Elveveien 97 фото, Bergen')).toEqual(['send', idOf(1)]);
    expect(decided('🏠 Elveveien 97, Bergen')).toEqual(['send', idOf(1)]);
    expect(decided('👨\u200d👩 Elveveien 97, Bergen')).toEqual(['ask', idOf(1), 'characters']);
  });
});

describe('an assignment that is over is asked about', () => {
  const statusOf = (AssignmentStatus: string, ...more: readonly MatchTarget[]) =>
    createMatchIndex([targetAt(1, 'Elveveien 97', 'Bergen', { AssignmentStatus }), ...more]);

  test.each(['CANCELLED', 'Completed', 'CLOSED', 'cancelled by customer', 'COMPLETED_WITH_REMARKS'])('%s', (status) => {
    const { decision, candidates, vetoes } = statusOf(status).match({ path: 'Elveveien 97, Bergen' });
    expect([decision, vetoes]).toEqual(['ask', [{ signal: 'status', found: status, against: true }]]);
    expect(candidates[0]?.certainty).toBeLessThan(0.95);
    expect(decided(idOf(1), statusOf(status))[0]).toBe('ask');
  });

  test('other values, known or not, are open', () => {
    for (const status of ['PENDING', 'PLANNED', '', 'Ärende 7', 'UNCLOSED'])
      expect(decided('Elveveien 97, Bergen', statusOf(status))).toEqual(['send', idOf(1)]);
  });

  test('it comes after those that are open, even if it fits better', () => {
    const some = statusOf('CANCELLED', targetAt(2, 'Elveveien 99', 'Bergen'), targetAt(3, 'Elveveien 97 B', 'Bergen'));
    const { decision, candidates, vetoes } = some.match({ path: 'Elveveien 97, Bergen' });
    expect(candidates.at(-1)?.AssignmentId).toBe(idOf(1));
    expect([decision, vetoes[0]?.signal]).toEqual(['ask', candidates.length > 1 ? 'best-status' : 'status']);
  });
});

describe('a rule holds where its name says where a folder belongs', () => {
  const rootPath = '/jobs/2026';
  const chosen = (path: string) => rulesFor({ path, rootPath, AssignmentId: idOf(5) });
  const isUsed = (path: string, rules: ReturnType<typeof rulesFor>, at = rootPath): boolean =>
    index.match({ path, rootPath: at }, { rules }).candidates[0]?.reasons.at(0)?.signal === 'confirmed';
  const decisionFor = (rule: string, path: string, at = rootPath) =>
    index.match({ path, rootPath: at }, { rules: chosen(rule) }).decision;

  test.each(['DCIM', 'inside', 'Hansen', 'Blue house', '12', 'photos'])('%s, only in the same folder', (name) => {
    expect(decisionFor(`2026/${name}`, `2026/${name}`, '/cards/2026')).toBe('none');
    expect(decisionFor(`2026/${name}`, `2026/other/${name}`)).toBe('none');
    expect(index.match({ path: name }, { rules: chosen(name) }).decision).toBe('none');
  });

  test.each(['inside', 'Hansen', 'Blue house'])('%s, in the same folder again', (name) => {
    expect(decisionFor(`2026/${name}`, `2026/${name.toUpperCase()}, bilder`)).toBe('send');
  });

  test.each(['Malmgade 14', 'Mill Lane 3 B', 'FAC-123456', 'Ordre 4711234', idOf(77)])('%s, anywhere', (name) => {
    expect(isUsed(`elsewhere/${name} bilder`, chosen(`2026/${name}`), '/cards')).toBe(true);
  });

  test.each([
    ['/Volumes/NO NAME/100CANON', '100CANON'],
    ['/Volumes/NO NAME/Hansen', 'Hansen'],
    ['/media/anna/NO NAME/Hansen', 'Hansen'],
    ['/run/media/anna/NO NAME/Hansen', 'Hansen'],
    ['/mnt/card/Hansen', 'Hansen'],
    ['E:\\Hansen', 'Hansen'],
    ['E:\\DCIM', 'DCIM/100CANON'],
    ['E:\\DCIM\\100CANON', '100CANON'],
    ['E:\\Photos\\Hansen', 'Hansen'],
    ['E:\\Photos', 'Photos/2026/Hansen'],
    ['/Volumes/NO NAME/Photos/Hansen', 'Hansen'],
    ['/media/anna/NO NAME/Photos/Hansen', 'Hansen'],
    ['/home/anna/DCIM/Camera/Hansen', 'Hansen'],
    ['/Volumes/NO NAME', 'NO NAME/dcim/100CANON'],
  ])('a card in the place of another one is another one: %s, %s', (at, path) => {
    const rules = rulesFor({ path, rootPath: at, AssignmentId: idOf(5) });
    expect(index.match({ path, rootPath: at }, { rules }).decision).toBe('none');
  });

  test.each([
    ['C:\\Jobs\\Hansen', 'Hansen'],
    ['P:\\Jobs\\Hansen', 'Hansen'],
    ['\\\\server\\jobs\\Hansen', 'Hansen'],
    ['/mnt/jobs/2026/Hansen', 'Hansen'],
  ])('a folder of the computer or the network is the same one again: %s', (at, path) => {
    const rules = rulesFor({ path, rootPath: at, AssignmentId: idOf(5) });
    expect(index.match({ path, rootPath: at }, { rules }).decision).toBe('send');
  });

  test('an address that begins with its number holds anywhere if the list has the street', () => {
    const some = createMatchIndex([
      targetAt(1, '12 St Marys Walk', 'Leeds'),
      targetAt(2, '12 St Marys Walk', 'Leeds'),
      targetAt(3, '4 Mill Lane', 'Leeds'),
      targetAt(4, 'Station House, Mill Lane', 'Leeds'),
    ]);
    const decisionOf = (path: string) => {
      const rules = rulesFor({ path: `2026/${path}`, rootPath, AssignmentId: idOf(2) });
      return some.match({ path: `elsewhere/${path} photos`, rootPath: '/cards' }, { rules }).decision;
    };
    expect(decisionOf('12 St Marys Walk')).toBe('send');
    for (const path of ['02 Old windows', '1 Etage Küche', 'Mill Lane', '12 Other Street'])
      expect(decisionOf(path), path).not.toBe('send');
  });

  test('a rule whose folder is not known holds for names that say where they belong', () => {
    const early = (path: string) => isUsed(path, rulesFor({ path, AssignmentId: idOf(5) }));
    expect(['Malmgade 14', 'Hansen', 'DCIM'].map(early)).toEqual([true, false, false]);
  });
});

describe('what was chosen for an address with a version is certain the next time', () => {
  const targets = [
    targetAt(1, 'Norra Hamngatan 21', 'Malmö', { FirstName: 'Eva', LastName: 'Holm' }),
    targetAt(2, 'Norra Hamngatan 21', 'Malmö', { FirstName: 'Per', LastName: 'Lund' }),
    targetAt(3, 'Norra Hamngatan 12C', 'Göteborg'),
  ];
  const { match } = createMatchIndex(targets);

  test.each(['v.2', 'v2', 'v 2', 'V.2', 'ver. 2', 'rev.2', '(2)'])('%s', (version) => {
    const path = `Malmö Norra Hamngatan 21 ${version}`;
    expect(match({ path }).decision).toBe('ask');
    const { decision, candidates } = match({ path }, { rules: rulesFor({ path, AssignmentId: idOf(2) }) });
    expect([decision, candidates[0]?.AssignmentId]).toEqual(['send', idOf(2)]);
    expect(candidates[0]?.reasons).toContainEqual({ signal: 'confirmed', found: path });
  });

  test('not where the folder says something else, or is not what it looks like', () => {
    const rules = rulesFor({ path: 'Norra Hamngatan 21 v.2', AssignmentId: idOf(2) });
    expect(match({ path: 'Göteborg/Norra Hamngatan 21 v.2' }, { rules }).decision).toBe('ask');
    expect(match({ path: 'Norra Hamngatan 2\u200b1 v.2' }, { rules }).decision).toBe('ask');
  });
});
