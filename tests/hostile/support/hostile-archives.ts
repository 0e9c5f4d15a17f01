/** Archives and mails that are unlikely to be made by accident. */
import { crc32, deflateRawSync } from 'node:zlib';
import { emlOf, msgOf, zipOf } from '../../integration/support/archives.ts';
import { bytes } from '../../integration/support/folders.ts';

/** An entry of a zip. Its headers can contradict its data. */
type RawEntry = {
  readonly name: string | Uint8Array;
  readonly data?: Uint8Array;
  readonly method?: number;
  readonly flags?: number;
  readonly crc?: number;
  readonly packedBytes?: number;
  readonly unpackedBytes?: number;
  readonly at?: number;
  readonly attributes?: number;
  readonly extra?: Uint8Array;
  readonly comment?: Uint8Array;
};

type RawEnd = { readonly entries?: number; readonly at?: number; readonly disk?: number; readonly comment?: number };

const numbers = (...parts: readonly (readonly [bytes: 2 | 4, value: number])[]): Buffer =>
  Buffer.concat(
    parts.map(([size, value]) => {
      const part = Buffer.alloc(size);
      part.writeUIntLE(value, 0, size);
      return part;
    }),
  );

/** Creates a zip with these entries, whose headers may be false. */
export const rawZip = (entries: readonly RawEntry[], end: RawEnd = {}): Uint8Array => {
  const [local, central]: [Buffer[], Buffer[]] = [[], []];
  let at = 0;
  for (const entry of entries) {
    const {
      data = Buffer.from('content'),
      method = 0,
      flags = 0x800,
      extra = Buffer.alloc(0),
      comment = Buffer.alloc(0),
    } = entry;
    const name = Buffer.from(entry.name);
    const packed = method === 8 ? deflateRawSync(data) : data;
    const { crc = crc32(data), packedBytes = packed.length, unpackedBytes = data.length } = entry;
    const facts = numbers(
      [2, 20],
      [2, flags],
      [2, method],
      [2, 0],
      [2, 0x5c21],
      [4, crc],
      [4, packedBytes],
      [4, unpackedBytes],
      [2, name.length],
    );
    central.push(
      Buffer.concat([
        numbers([4, 0x02014b50], [2, 0x031e]),
        facts,
        numbers(
          [2, extra.length],
          [2, comment.length],
          [2, 0],
          [2, 0],
          [4, entry.attributes ?? 0],
          [4, entry.at ?? at],
        ),
        name,
        extra,
        comment,
      ]),
    );
    const header = Buffer.concat([numbers([4, 0x04034b50]), facts, numbers([2, 0]), name, packed]);
    local.push(header);
    at += header.length;
  }
  const directory = Buffer.concat(central);
  const { entries: count = entries.length, disk = 0, comment = 0 } = end;
  const last = numbers(
    [4, 0x06054b50],
    [2, disk],
    [2, 0],
    [2, count],
    [2, count],
    [4, directory.length],
    [4, end.at ?? at],
    [2, comment],
  );
  return Buffer.concat([...local, directory, last]);
};

/** The expected result of opening the archive. `any`: it depends on the damage. */
type Outcome = 'opened' | 'encrypted' | 'damaged' | 'unsafe' | 'bomb' | 'many' | 'large' | 'method' | 'stopped' | 'any';

export type Attack = {
  readonly title: string;
  readonly file: string;
  readonly make: () => string | Uint8Array;
  readonly outcome: Outcome;
};

const attack = (file: string, outcome: Outcome, title: string, make: Attack['make']): Attack => ({
  title: `${file.slice(2)}: ${title}`,
  file,
  make,
  outcome,
});
const zip = attack.bind(undefined, 'a.zip');
const eml = attack.bind(undefined, 'a.eml');
const msg = attack.bind(undefined, 'a.msg');

const named = (name: string): RawEntry => ({ name });
const many = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => make(index));

const honestZip = (): Uint8Array => zipOf({ 'a.txt': 'a'.repeat(5_000), 'in/b.bin': bytes(20_000), 'c.txt': '' });
const honestMsg = (): Uint8Array => msgOf({ subject: 'Offer' }, { 'a.pdf': bytes(20_000), 'b.txt': 'b' });
const honestEml = (): string => emlOf({ subject: 'Offer' }, { 'a.pdf': bytes(20_000), 'b.txt': 'b' });

/** Replaces some bytes of `content`. The same `seed` gives the same result. */
const flipped = (content: Uint8Array, seed: number): Uint8Array => {
  const copy = Uint8Array.from(content);
  let value = seed + 1;
  for (let count = 0; count < 12; count += 1) {
    value = (value * 48_271) % 2_147_483_647;
    copy[value % copy.length] = (value >> 8) & 0xff;
  }
  return copy;
};
const cut = (content: Uint8Array, share: number): Uint8Array => content.subarray(0, Math.floor(content.length * share));
const put = (content: Uint8Array, at: number, ...values: readonly number[]): Uint8Array => {
  const copy = Buffer.from(content);
  for (const [index, value] of values.entries()) copy.writeUInt32LE(value, at + 4 * index);
  return copy;
};

const ZEROS = Buffer.alloc(300 * 1024 * 1024);
const SECTOR = 512;

const mime = (headers: string, body: string): string =>
  `From: a@example.com\r\nSubject: x\r\n${headers}\r\n\r\n${body}`;
const nested = (depth: number): string =>
  many(depth, (at) => `Content-Type: multipart/mixed; boundary="b${at}"\r\n\r\n--b${at}\r\n`).join('');
const attachment = (name: string): string =>
  `--b\r\nContent-Type: application/pdf; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\n\r\nx\r\n`;
const withParts = (count: number, name: (index: number) => string): string =>
  mime(
    'Content-Type: multipart/mixed; boundary=b',
    `${many(count, (index) => attachment(name(index))).join('')}--b--\r\n`,
  );

export const attacks: readonly Attack[] = [
  ...[
    '../a.txt',
    'a/../../b.txt',
    '..',
    '/etc/passwd',
    'C:/a.txt',
    'C:a.txt',
    '..\\a.txt',
    '\\\\server\\a.txt',
    'a\0.txt',
    'a/..',
  ].map((name) => zip('unsafe', `the name ${JSON.stringify(name)}`, () => rawZip([named(name)]))),
  zip('unsafe', 'folders 200 deep', () => rawZip([named(`${'d/'.repeat(200)}a`)])),
  ...['CON', 'con.txt', 'nul.pdf', 'COM1', 'lpt9.doc', 'aux.', 'conin$', 'in/prn.txt'].map((name) =>
    zip('opened', `the device ${name}`, () => rawZip([named(name)])),
  ),
  zip('opened', 'two files of one name', () => rawZip([named('a'), named('a'), named('a (2)')])),
  zip('opened', 'a file and a folder of one name', () => rawZip([named('a'), named('a/b')])),
  zip('opened', 'names that are no text', () => rawZip([{ name: Uint8Array.of(0xff, 0xfe, 0x41) }])),
  zip('opened', 'names of folders without end', () => rawZip([named('a//b///c'), named('./a/./d')])),
  zip('opened', 'a name of 60,000 bytes', () => rawZip([named('x'.repeat(60_000))])),
  zip('opened', 'a name that turns the text around', () => rawZip([named('a\u202egpj.exe')])),
  zip('opened', 'the names __proto__ and constructor', () => rawZip([named('__proto__/a'), named('constructor')])),
  zip('opened', 'a link', () =>
    rawZip([{ name: 'link', data: Buffer.from('/etc/passwd'), attributes: 0xa1ff0000 }, named('a')]),
  ),
  zip('opened', 'only links', () => rawZip([{ name: 'link', attributes: 0xa1ff0000 }])),
  zip('encrypted', 'an encrypted file', () =>
    rawZip([{ name: 'a', flags: 0x801 }].map((one) => ({ ...one, unpackedBytes: 7, packedBytes: 19 }))),
  ),
  zip('encrypted', 'strong encryption', () => rawZip([{ name: 'a', flags: 0x841 }])),
  zip('encrypted', 'one encrypted file among others', () =>
    rawZip([named('a'), { name: 'b', method: 8, flags: 0x801 }]),
  ),
  ...[1, 6, 9, 12, 14, 93, 97].map((method) =>
    zip('method', `compressed by method ${method}`, () => rawZip([{ name: 'a', method }])),
  ),
  zip('bomb', '300 MB of zeros', () => rawZip([{ name: 'a', data: ZEROS, method: 8 }])),
  zip('bomb', 'the same bytes in 1,000 files', () => rawZip(many(1_000, (index) => ({ name: `${index}`, at: 0 })))),
  zip('bomb', 'a file inside another', () =>
    rawZip([
      { name: 'a', data: honestZip() },
      { name: 'b', at: 40 },
    ]),
  ),
  zip('bomb', 'sizes of 4 GB each', () =>
    rawZip(many(10, (index) => ({ name: `${index}`, method: 8, unpackedBytes: 0xfffffffe }))),
  ),
  zip('bomb', 'sizes of 2^52', () =>
    rawZip([
      {
        name: 'a',
        method: 8,
        unpackedBytes: 0xffffffff,
        extra: Buffer.concat([numbers([2, 1], [2, 8]), numbers([4, 0], [4, 0x100000])]),
      },
    ]),
  ),
  zip('many', '30,000 files', () => rawZip(many(30_000, (index) => named(`${index}`)))),
  zip('many', '1 GB of names, as far as it is read', () =>
    rawZip(many(300, (index) => ({ name: `${index}${'n'.repeat(60_000)}` }))),
  ),
  zip('many', '20 MB of comments', () =>
    rawZip(many(320, (index) => ({ name: `${index}`, comment: Buffer.alloc(65_000) }))),
  ),
  zip('opened', 'an archive in an archive, many times', () => {
    let inner = rawZip([{ name: 'a', data: Buffer.alloc(1_000_000), method: 8 }]);
    for (let depth = 0; depth < 50; depth += 1) inner = rawZip([{ name: 'a.zip', data: inner, method: 8 }]);
    return inner;
  }),
  zip('opened', 'a wrong checksum', () => rawZip([{ name: 'a', crc: 1 }])),
  zip('opened', 'a size that is too small', () =>
    rawZip([{ name: 'a', method: 8, data: Buffer.alloc(5_000), unpackedBytes: 100 }]),
  ),
  zip('opened', 'a size that is too large', () => rawZip([{ name: 'a', method: 8, unpackedBytes: 100_000 }])),
  zip('opened', 'no packed bytes', () => rawZip([{ name: 'a', method: 8, packedBytes: 0 }])),
  zip('opened', 'bytes that are not packed', () =>
    rawZip(
      [
        { name: 'a', method: 0 },
        { name: 'b', method: 8 },
      ].map((one, index) => (index ? { ...one, crc: 3 } : one)),
    ),
  ),
  zip('damaged', 'stored sizes that differ', () => rawZip([{ name: 'a', unpackedBytes: 3 }])),
  zip('damaged', 'data beyond the end', () => rawZip([{ name: 'a', method: 8, packedBytes: 0x7fffffff }])),
  zip('damaged', 'a place beyond the end', () => rawZip([{ name: 'a', at: 0x7fffffff }])),
  zip('damaged', 'fewer files than it says', () => rawZip([named('a')], { entries: 100 })),
  zip('damaged', 'a directory beyond the end', () => rawZip([named('a')], { at: 0x7fffffff })),
  zip('damaged', 'a part of several disks', () => rawZip([named('a')], { disk: 3 })),
  zip('damaged', 'a comment that is missing', () => rawZip([named('a')], { comment: 500 })),
  zip('damaged', 'zeros', () => Buffer.alloc(100_000)),
  zip('damaged', 'one byte', () => 'P'),
  ...[0.05, 0.2, 0.4, 0.6, 0.8, 0.95, 0.999].map((share) =>
    zip('damaged', `cut after ${share}`, () => cut(honestZip(), share)),
  ),
  ...many(8, (seed) => zip('any', `twelve wrong bytes, ${seed}`, () => flipped(honestZip(), seed))),

  eml('many', '10,000 parts', () => withParts(10_000, (index) => `${index}.pdf`)),
  eml('opened', '2,000 attachments of one name', () => withParts(2_000, () => 'same.pdf')),
  ...['../../a.pdf', '/etc/passwd', 'C:\\a.pdf', '..', 'a\tb.pdf', 'CON', '__proto__'].map((name) =>
    eml('opened', `an attachment called ${JSON.stringify(name)}`, () => withParts(1, () => name)),
  ),
  eml('damaged', '1,000 parts in each other', () => mime(nested(1_000), '')),
  eml('damaged', '5 MB of headers', () =>
    mime(many(50_000, (index) => `X-${index}: ${'h'.repeat(100)}`).join('\r\n'), ''),
  ),
  eml('damaged', 'no headers', () => 'This is no mail.'),
  eml('damaged', 'zeros', () => Buffer.alloc(100_000)),
  eml('large', '41 MB', () => Buffer.alloc(41 * 1024 * 1024, 'a')),
  eml('any', 'a line of 20 MB', () => mime('Content-Type: text/plain', 'x'.repeat(20 * 1024 * 1024))),
  eml('any', '200,000 addresses', () =>
    mime(`To: ${many(60_000, (index) => `<${index}@example.com>`).join(', ')}`, ''),
  ),
  eml('any', '20,000 comments in an address', () => mime(`Cc: ${'('.repeat(20_000)}a@example.com`, '')),
  eml('any', 'a subject of 1 MB', () => `Subject: ${'=?utf-8?B?w6U=?= '.repeat(60_000)}\r\n\r\nx`),
  eml('any', 'parts without an end', () =>
    mime('Content-Type: multipart/mixed; boundary=b', '--b\r\n'.repeat(100_000)),
  ),
  eml('any', 'a character set that does not exist', () =>
    mime('Content-Type: text/plain; charset=x-none', '\xff'.repeat(1_000)),
  ),
  eml('any', 'base64 that is none', () =>
    mime(
      'Content-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment',
      '*'.repeat(1_000_000),
    ),
  ),
  eml('any', 'mails in mails', () =>
    many(200, (index) => `From: ${index}@example.com\r\nContent-Type: message/rfc822\r\n\r\n`).join(''),
  ),
  ...many(4, (seed) => eml('any', `twelve wrong bytes, ${seed}`, () => flipped(Buffer.from(honestEml()), seed))),

  msg('damaged', 'text', () => 'This is no mail.'),
  msg('damaged', 'zeros', () => Buffer.alloc(100_000)),
  ...[0.01, 0.1, 0.4, 0.7, 0.95].map((share) => msg('any', `cut after ${share}`, () => cut(honestMsg(), share))),
  msg('any', 'sectors of 2^31 bytes', () => put(honestMsg(), 28, 0x001ffffe)),
  msg('any', 'a table of sectors that leads to itself', () => put(honestMsg(), SECTOR, ...many(128, () => 0))),
  msg('any', 'a directory that leads to itself', () => put(honestMsg(), 48, 0)),
  msg('any', 'a billion sectors in the table', () => put(honestMsg(), 44, 0x3fffffff)),
  msg('any', 'a billion sectors in the small table', () => put(honestMsg(), 60, 0, 0x3fffffff)),
  msg('stopped', 'a billion sectors of the table of tables', () => put(honestMsg(), 68, 0, 0x3fffffff)),
  ...many(10, (seed) => msg('any', `twelve wrong bytes, ${seed}`, () => flipped(honestMsg(), seed))),
];
