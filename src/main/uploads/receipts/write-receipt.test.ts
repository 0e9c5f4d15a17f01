import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { Window } from 'happy-dom';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DeskError, toErrorData } from '../../../contract/errors.ts';
import { type Batch, FileState } from '../../../contract/uploads.ts';
import { itemsFrom } from '../ledger/items.ts';
import { addBatch, openTestLedger } from '../ledger/testing/ledger.ts';
import { NOTHING_LEFT_OUT } from '../source/scan.ts';
import { scanned } from '../source/testing/scanned.ts';
import { type ReceiptJob, writeReceipt } from './write-receipt.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'receipt-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const assignment = {
  AssignmentId: 'assignment',
  FacilityId: 'F-7',
  AssignmentStatus: 'Open',
  FirstName: 'Anna',
  LastName: 'Berg & <Co>',
  Address: 'Elveveien 97',
  City: 'Oslo',
  Performer: 'Per Form',
  StartTime: 0,
};
const arrived = Date.UTC(2026, 2, 4, 11, 5, 6);

/**
 * Creates a ledger with a batch for each list of paths. The first file of each batch has arrived, and the second has
 * failed.
 */
const ledgerOf = async (...batches: readonly (readonly string[])[]) => {
  const ledger = openTestLedger();
  const ids: string[] = [];
  for (const paths of batches) {
    const { batch, files } = await addBatch(
      ledger,
      paths.map((path) => scanned(path)),
      { root: join(folder, `job ${ids.length + 1}`), subject: 'office@example.com' },
    );
    await ledger.commit(() => {
      const [first, second] = files;
      if (first) {
        ledger.items.signing(first.id, arrived);
        ledger.items.sending(first.id, `key of ${first.id}`, 'https://storage.test/?signed', arrived);
        ledger.items.done(first.id, 'ab'.repeat(32), undefined, arrived);
      }
      const error = toErrorData(new DeskError('upload/file-locked', 'locked'));
      if (second) ledger.items.failed(second.id, { state: 'failed', error, unclear: false }, arrived);
    });
    ids.push(batch);
  }
  return { ...ledger, ids };
};
type TestLedger = Awaited<ReturnType<typeof ledgerOf>>;

const write = async (ledger: TestLedger, job: Partial<ReceiptJob> & Pick<ReceiptJob, 'format'>): Promise<Buffer> => {
  const path = join(folder, 'receipt');
  const whole: ReceiptJob = {
    spoken: 'en',
    formats: { language: 'en', formats: 'system', dateFormat: 'system', timeBase: 'auto', systemLocale: 'en-GB' },
    service: { baseUrl: 'https://service.test/api', sample: false },
    letterhead: { people: {} },
    listsFiles: true,
    madeAtMs: arrived,
    batches: ledger.ids.map((batchId) => ({ batchId, assignment })),
    ...job,
  };
  await writeReceipt(path, whole, (id) => {
    const row = ledger.batches.get(id);
    if (!row) throw new DeskError('upload/batch-unknown', 'unknown');
    const items = (offset: number, count: number) => itemsFrom(ledger.items, id, offset, count);
    const failed = (limit: number) => ledger.items.list(id, { states: ['failed'], offset: 0, limit }).items;
    const tally = ledger.items.tally(id);
    const batch: Batch = {
      batchId: id,
      uploadId: id,
      AssignmentId: row.assignmentId,
      root: row.root,
      state: 'finished',
      files: FileState.options.reduce((total, state) => total + tally[state].files, 0),
      uploaded: tally.done.files,
      removed: tally.removed.files,
      failed: tally.failed.files,
      skipped: tally.skipped.files,
      nameTaken: ledger.items.countNameTaken(id),
      cancelled: 0,
      bytes: 10,
      bytesSent: 10,
      bytesPerSecond: 0,
      createdAtMs: 1,
      leftOut: row.leftOut,
    };
    return { batch, sender: row.subject, items, failed };
  });
  return readFileSync(path);
};

/**
 * Returns the cells of each sheet, by row, as `[type, text]`, read with parsers that share no code with the writer.
 * Expects that no cell has a formula.
 */
const sheetsOf = (bytes: Uint8Array) => {
  const parts = Object.entries(unzipSync(bytes)).map(([path, content]) => {
    const parser = new new Window().DOMParser();
    return [path, parser.parseFromString(strFromU8(content), 'application/xml')] as const;
  });
  const sheets = parts.filter(([path]) => path.startsWith('xl/worksheets/'));
  return sheets.map(([, sheet]) =>
    [...sheet.getElementsByTagName('row')].map((row) =>
      [...row.getElementsByTagName('c')].map((cell) => {
        expect(cell.getElementsByTagName('f')).toHaveLength(0);
        return [cell.getAttribute('t') ?? 'number', cell.textContent] as const;
      }),
    ),
  );
};

const hostile = [
  '=HYPERLINK("file:x")',
  '<script>alert(1)</script>&"\'',
  'a\u202egpj.exe',
  'b\u0007 _x0041_',
  '@x;=1+1',
];

test.each(['csv', 'json', 'page', 'xlsx'] as const)(
  'the folders that the review left out are counted and named, as %s',
  async (format) => {
    const ledger = await ledgerOf(['a.jpg']);
    const leftOutFolders = Array.from({ length: 14 }, (_, at) => ({ path: `Jobs/old ${at + 1}`, files: at + 1 }));
    const receipt = await write(ledger, { format, leftOutFolders });
    const text = format === 'xlsx' ? JSON.stringify(sheetsOf(receipt)[0]) : receipt.toString();
    const said = {
      csv: ['14 folders left out in the review', '"Jobs/old 1",1\r\n', '"Jobs/old 14",14\r\n'],
      json: ['"leftOutFolders":[{"path":"Jobs/old 1","files":1},', '{"path":"Jobs/old 14","files":14}]'],
      page: ['14 folders left out in the review', '<td>Jobs/old 1</td><td>1 file</td>', 'And 2 more folders.'],
      xlsx: ['14 folders left out in the review', 'Jobs/old 1"],["number","1"]', 'Jobs/old 14"],["number","14"]'],
    }[format];
    for (const part of said) expect(text).toContain(part);
    expect((await write(ledger, { format })).toString()).not.toContain('left out');
  },
);

test.each(['csv', 'json', 'page'] as const)(
  'a file that was removed since is said to be removed, as %s',
  async (format) => {
    const ledger = await ledgerOf(['a.jpg', 'b.jpg'], ['c.jpg']);
    const [{ id } = { id: 0 }] = ledger.items.list(String(ledger.ids[0]), { offset: 0, limit: 1 }).items;
    const assignmentRef = { connectionId: 'connection', assignmentId: 'assignment' };
    const key = `key of ${id}`;
    await ledger.commit(() => ledger.knownFiles.removed(assignmentRef, key, Date.UTC(2026, 3, 5, 6, 7, 8)));
    const text = String(await write(ledger, { format }));
    expect(text).not.toContain(key);
    if (format === 'json') {
      const [{ folders }] = JSON.parse(text).assignments;
      expect(JSON.parse(text)).toMatchObject({ uploaded: 2, removed: 1 });
      expect(folders[0].files[0]).toMatchObject({ state: 'removed', removed: '2026-04-05T06:07:08.000Z' });
      expect(folders[1].files[0]).not.toHaveProperty('removed');
    } else {
      expect(text).toContain('Removed later');
      expect(text).toMatch(/removed\W.*(2026-04-05|5 Apr 2026|05\/04\/2026)/);
    }
  },
);

test.each(['csv', 'json', 'page'] as const)('what the review left out is counted, as %s', async (format) => {
  const ledger = await ledgerOf(['a.jpg'], ['b.jpg']);
  expect(String(await write(ledger, { format }))).not.toContain(format === 'json' ? '"leftOut":1' : 'Left out');
  for (const id of ledger.ids) ledger.batches.setScanned(id, { ...NOTHING_LEFT_OUT, hidden: 5, inReview: 2 });
  const text = String(await write(ledger, { format }));
  expect(text).toMatch(
    { csv: /"Left out in the review",4/, json: /"leftOut":4/, page: /<b>4<\/b>Left out in the review/ }[format],
  );
});

test.each([
  ['csv', /"Already there",2\r\n"Not uploaded, name taken",1/],
  ['json', /"skipped":2,"nameTaken":1/],
  ['page', /<b>2<\/b>Already there<.*<b>1<\/b>Not uploaded, name taken/],
] as const)('a file whose name was taken does not count as already there, as %s', async (format, counted) => {
  const ledger = await ledgerOf(['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg', 'e.jpg']);
  const [, , ...rest] = itemsFrom(ledger.items, ledger.ids[0] ?? '', 0, 5);
  await ledger.commit(() => {
    for (const { id, fileName } of rest) {
      if (fileName === 'c.jpg') ledger.items.nameTaken(id, arrived);
      else ledger.items.skipped(id, 'ab'.repeat(32), arrived);
    }
  });
  expect(String(await write(ledger, { format }))).toMatch(counted);
});

test.each(['csv', 'json', 'page'] as const)('what could not be read is counted, as %s', async (format) => {
  const ledger = await ledgerOf(['a.jpg']);
  expect(String(await write(ledger, { format }))).not.toContain(format === 'json' ? '"unreadable":1' : 'not be read');
  for (const id of ledger.ids) ledger.batches.setScanned(id, { ...NOTHING_LEFT_OUT, unreadable: 1 });
  const text = String(await write(ledger, { format }));
  expect(text).toMatch(
    { csv: /"Could not be read",1/, json: /"unreadable":1/, page: /class="bad"><b>1<\/b>Could not be read/ }[format],
  );
});

describe('CSV', () => {
  const lines = async (ledger: TestLedger, locale: string) => {
    const formats = { language: 'system', formats: 'system', dateFormat: 'system', timeBase: 'auto' } as const;
    const bytes = await write(ledger, { format: 'csv', formats: { ...formats, systemLocale: locale } });
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    return bytes.toString('utf8').slice(1).split('\r\n');
  };

  test('has semicolons where the decimal sign is a comma, and commas elsewhere', async () => {
    const ledger = await ledgerOf(['a.jpg', 'b.jpg']);
    expect(await lines(ledger, 'sv-SE')).toContain('"Sent by";"office@example.com"');
    expect(await lines(ledger, 'en-US')).toContain('"Sent by","office@example.com"');
  });

  test('says for each file where it went, when and what came of it', async () => {
    const csv = await lines(await ledgerOf(['in/a.jpg', 'b.jpg']), 'en-GB');
    const time = new Date(arrived);
    const two = (value: number) => String(value).padStart(2, '0');
    const local = `2026-03-04 ${two(time.getHours())}:${two(time.getMinutes())}:06`;
    const [done, failed] = csv.slice(csv.indexOf('') + 2);
    expect(done).toBe(
      `"Elveveien 97","Oslo","Anna Berg & <Co>","assignment","job 1","in/a.jpg","a.jpg",10,"${local}","uploaded","","","key of ${2 ** 32}","${'ab'.repeat(32)}"`,
    );
    expect(failed).toContain('"failed","","The file is in use by another program."');
    expect(failed?.endsWith('"",""')).toBe(true);
  });
});

describe('JSON', () => {
  test('is one document with all assignments, folders and files', async () => {
    const ledger = await ledgerOf(['a.jpg', 'b.jpg'], ['c.jpg']);
    const json = JSON.parse(String(await write(ledger, { format: 'json' })));
    expect(json).toMatchObject({
      service: 'https://service.test/api',
      sentBy: ['office@example.com'],
      files: 3,
      uploaded: 2,
      failed: 1,
      assignments: [
        {
          AssignmentId: 'assignment',
          address: 'Elveveien 97',
          customer: 'Anna Berg & <Co>',
          folders: [
            { files: [{ file: 'a.jpg', time: '2026-03-04T11:05:06.000Z' }, { state: 'failed' }] },
            { files: [{}] },
          ],
        },
      ],
    });
    expect(JSON.stringify(json)).not.toContain('signed');
  });

  test('lists only the files of its part, and counts all', async () => {
    const ledger = await ledgerOf(['a', 'b', 'c'], ['d', 'e'], ['f']);
    const partOf = async (no: number, first: number, last: number) => {
      const json = JSON.parse(String(await write(ledger, { format: 'json', part: { no, of: 3, first, last } })));
      expect(json.files).toBe(6);
      return json.assignments.flatMap(({ folders }: { folders: { files: { file: string }[] }[] }) =>
        folders.map(({ files }) => files.map(({ file }) => file).join('')),
      );
    };
    expect(await partOf(1, 1, 2)).toEqual(['ab']);
    expect(await partOf(2, 3, 4)).toEqual(['c', 'd']);
    expect(await partOf(3, 5, 6)).toEqual(['e', 'f']);
  });
});

describe('Excel', () => {
  test('holds hostile names as texts, and no formula', async () => {
    const [, files = []] = sheetsOf(await write(await ledgerOf(hostile), { format: 'xlsx' }));
    const names = files.slice(1).map((row) => row[3]);
    expect(names.map((cell) => cell?.[0])).toEqual(hostile.map(() => 'inlineStr'));
    expect(names.map((cell) => cell?.[1])).toEqual([
      ...hostile.slice(0, 3),
      'b_x0007_ _x005F_x0041_',
      ...hostile.slice(4),
    ]);
  });

  test('has an overview, all files, and their keys, with numbers and local times as such', async () => {
    const [overview = [], files = [], keys = []] = sheetsOf(
      await write(await ledgerOf(['a.jpg', 'b.jpg'], ['c.jpg']), { format: 'xlsx' }),
    );
    expect(overview[0]).toEqual([['inlineStr', 'Upload receipt']]);
    expect(overview.at(-1)?.map(([, text]) => text)).toEqual(expect.arrayContaining(['Elveveien 97', 'Oslo', 'job 2']));
    expect(files).toHaveLength(4);
    expect(files[1]?.[5]).toEqual(['number', '10']);
    const shown = new Date(arrived - new Date(arrived).getTimezoneOffset() * 60_000).toISOString();
    const serial = Number(files[1]?.[6]?.[1]);
    expect(new Date(Math.round((serial - 25_569) * 86_400_000)).toISOString()).toBe(shown);
    expect(keys[1]?.at(-1)).toEqual(['inlineStr', 'ab'.repeat(32)]);
  });
});

describe('page', () => {
  test('escapes every text and has nothing that runs or loads', async () => {
    const text = String(await write(await ledgerOf(hostile), { format: 'page' }));
    const { document } = new Window({ settings: { disableJavaScriptEvaluation: true } });
    document.write(text);
    expect(document.querySelectorAll('script, img, link, iframe, [src], [href]')).toHaveLength(0);
    const paths = [...document.querySelectorAll('.files td:first-child')].map(
      ({ firstChild }) => firstChild?.textContent,
    );
    expect(paths).toEqual([hostile[0], hostile[1], 'a\ufffdgpj.exe', 'b\ufffd _x0041_', hostile[4]]);
    expect(document.body.textContent).toContain('Berg & <Co>');
    expect(text).not.toContain('\u202e');
  });

  const textOf = (document: Window['document'], selector: string): readonly string[] =>
    [...document.querySelectorAll(selector)].map(({ textContent }) => textContent ?? '');
  const pageOf = async (ledger: TestLedger, job: Partial<ReceiptJob>) => {
    const { document } = new Window({ settings: { disableJavaScriptEvaluation: true } });
    document.write(String(await write(ledger, { listsFiles: false, ...job, format: 'page' })));
    return document;
  };

  test('has a letterhead, who sent, totals, and the files that did not arrive', async () => {
    const ledger = await ledgerOf(['a.jpg', 'b.jpg'], ['c.jpg']);
    const letterhead = {
      office: 'Nord & Co',
      logo: 'data:image/png;base64,AAAA',
      people: { 'office@example.com': 'Kari Nilsen' },
    };
    const document = await pageOf(ledger, { letterhead });
    expect(document.querySelector('header img')?.getAttribute('src')).toBe(letterhead.logo);
    expect(textOf(document, 'header strong')).toEqual(['Nord & Co']);
    expect(textOf(document, 'dd')).toEqual(expect.arrayContaining(['Elveveien 97, Oslo', 'Kari Nilsen']));
    expect(textOf(document, '.totals li').slice(0, 3)).toEqual(['3Files', '2Uploaded', '1Failed']);
    expect(textOf(document, '.unsent td')).toEqual(['job 1/b.jpg', expect.stringContaining('in use')]);
    expect(document.querySelectorAll('.appendix')).toHaveLength(0);
    expect(document.body.textContent).not.toContain('ab'.repeat(32));
  });

  test('says that the files were verified if those of all folders were', async () => {
    const ledger = await ledgerOf(['a.jpg', 'b.jpg'], ['c.jpg']);
    const atMs = new Date(2026, 10, 22, 12).getTime();
    const [first = '', second = ''] = ledger.ids;
    const one = { batchId: first, assignment, verified: { atMs, files: 2, same: 1 } };
    const other = { batchId: second, assignment, verified: { atMs: atMs - 1, files: 1, same: 1 } };
    const all = await pageOf(ledger, { batches: [one, other] });
    expect(textOf(all, 'dd')).toContain('22 Nov 2026, 12:00: 2 of 3 files unchanged on the computer');
    const some = await pageOf(ledger, { batches: [one, { batchId: second, assignment }] });
    expect(textOf(some, 'dt')).not.toContain('Verified');
  });

  test('names the file on the assignment only where its name differs from that on the computer, also in archives', async () => {
    const ledger = await ledgerOf(['Offer.zip//1.jpg', 'Offer.zip//photos/2.jpg', 'a/3.jpg', 'Offer.zip//3?.jpg']);
    expect(textOf(await pageOf(ledger, { listsFiles: true }), '.files td:first-child')).toEqual([
      'Offer.zip › 1.jpg',
      'Offer.zip › photos/2.jpg',
      'a/3.jpg',
      'Offer.zip › 3?.jpg→ 3_.jpg',
    ]);
  });

  test('a workbook has the logo of the letterhead', async () => {
    const ledger = await ledgerOf(['a.jpg']);
    const png = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x20\0\0\0\x10', 'latin1');
    const withLogo = async (logo: string) =>
      unzipSync(await write(ledger, { format: 'xlsx', listsFiles: false, letterhead: { people: {}, logo } }));
    const media = (await withLogo(`data:image/png;base64,${png.toString('base64')}`))['xl/media/image1.png'];
    expect(Buffer.from(media ?? [])).toEqual(png);
    expect(Object.keys(await withLogo('data:image/png;base64,AAAA'))).not.toContain('xl/media/image1.png');
  });

  test.each([
    ['assignment', ['Elveveien 97, Oslo', 'Anna Berg & <Co>', '3', '2', '1']],
    ['performer', ['Per Form', '1', '3', '2', '1']],
    ['person', ['office@example.com', '1', '3', '2', '1']],
  ] as const)('a report has a line for each %s', async (by, line) => {
    const ledger = await ledgerOf(['a.jpg', 'b.jpg'], ['c.jpg']);
    const range = { fromMs: new Date(2026, 10, 1).getTime(), beforeMs: new Date(2026, 11, 1).getTime() };
    const document = await pageOf(ledger, { report: { by, ...range } });
    expect(textOf(document, 'h1, .when')).toEqual(['Upload report', 'November 2026']);
    expect(textOf(document, '.lines tbody td').slice(0, 5)).toEqual(line);
    const some = { by, ...range, beforeMs: new Date(2026, 10, 16).getTime() };
    expect(textOf(await pageOf(ledger, { report: some }), '.when')).toEqual(['1 Nov 2026 – 15 Nov 2026']);
    const json = JSON.parse(String(await write(ledger, { format: 'json', listsFiles: false, report: some })));
    expect(json).toMatchObject({ report: { by }, lines: [{ name: line[0], files: 3 }], assignments: [] });
    const [sheet = [], ...others] = sheetsOf(await write(ledger, { format: 'xlsx', listsFiles: false, report: some }));
    expect(others).toEqual([]);
    expect(
      sheet
        .at(-1)
        ?.map(([, text]) => text)
        .slice(0, 5),
    ).toEqual(line);
    const csv = String(await write(ledger, { format: 'csv', listsFiles: false, report: some }));
    expect(csv.trimEnd().split('\r\n').at(-1)).toContain(line[0]);
  });

  test('speaks the language of the app', async () => {
    const text = String(await write(await ledgerOf(['a.jpg']), { format: 'page', spoken: 'de' }));
    expect(text).toContain('<html lang="de">');
    expect(text).toContain('Upload-Beleg');
    expect(text).toContain('hochgeladen');
  });
});

test('a receipt of an unknown batch leaves no file', async () => {
  const ledger = await ledgerOf(['a.jpg']);
  await expect(write({ ...ledger, ids: ['none'] }, { format: 'csv' })).rejects.toMatchObject({
    code: 'upload/batch-unknown',
  });
  expect(readdirSync(folder)).toEqual([]);
});
