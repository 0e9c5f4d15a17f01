import fs, { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import { burn, type Entry } from '@kenjiuno/msgreader/lib/Burner.js';
import { TypeEnum } from '@kenjiuno/msgreader/lib/Reader.js';
import { zipSync } from 'fflate';
import { expect, onTestFinished, test, vi } from 'vitest';
import { connectPort } from '../../async/port-calls.ts';
import { type ArchiveCalls, serveArchives } from './archive-reader.ts';
import { createArchives } from './archives.ts';
import { factsOf, innerFacts } from './file-identity.ts';
import { createHasher } from './hasher.ts';
import { insideOf } from './paths.ts';

test('after its worker has ended, a file goes on with no bytes of another one', async () => {
  const bug = (error: unknown): never => {
    throw error;
  };
  const root = mkdtempSync(join(tmpdir(), 'inspection-desk-test-'));
  const path = join(root, 'a.zip');
  const sizeBytes = 1_000_000;
  writeFileSync(path, zipSync({ one: new Uint8Array(sizeBytes).fill(1), other: new Uint8Array(sizeBytes).fill(2) }));
  const facts = innerFacts(factsOf(await stat(path, { bigint: true })), sizeBytes);
  const reader = new URL('./read-worker.ts', import.meta.url);
  const hasher = createHasher(reader, bug);
  const archives = createArchives(reader, hasher, bug);
  onTestFinished(() => {
    archives.close();
    rmSync(root, { recursive: true });
  });
  const one = (await archives.open(insideOf(path, 'one'), facts)).read();
  expect((await one.next()).value?.[0]).toBe(1);
  archives.close();
  const rest = (async () => {
    for await (const part of one) expect(part.every((byte) => byte === 1)).toBe(true);
  })();
  await expect(rest).rejects.toMatchObject({ code: 'upload/archive-stopped' });
  const other = await archives.open(insideOf(path, 'other'), facts);
  for await (const part of other.read()) expect(part.every((byte) => byte === 2)).toBe(true);
  expect(other.digests()?.sha256).toMatch(/^[0-9a-f]{64}$/);
});

test('the start of a file in an archive is read without the rest', async () => {
  const root = mkdtempSync(join(tmpdir(), 'inspection-desk-test-'));
  const path = join(root, 'a.zip');
  const content = Buffer.alloc(2_000_000, 'photo');
  const zip = zipSync({ 'photo.jpg': [content, { level: 0 }] });
  // The content is no longer that of its checksum, which is compared at its end.
  zip[1_900_000] = 0;
  writeFileSync(path, zip);
  const archives = createArchives(new URL('./read-worker.ts', import.meta.url), undefined, (error) =>
    expect.unreachable(String(error)),
  );
  onTestFinished(() => {
    archives.close();
    rmSync(root, { recursive: true });
  });
  const photo = insideOf(path, 'photo.jpg');
  const start = await archives.readStart(photo, undefined, 100_000);
  expect(start.length).toBeGreaterThanOrEqual(100_000);
  expect(start.equals(content.subarray(0, start.length))).toBe(true);
  await expect(archives.readWhole(photo, undefined, 10_000_000)).rejects.toMatchObject({
    code: 'upload/archive-damaged',
  });
});

/** Lists an archive in a worker that runs the code `work`, and then responds that the archive contains no files. */
const listAfter = async (work: string) => {
  const worker = `
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ([{ id }]) => {
      ${work}
      parentPort.postMessage([{ type: 'result', id, value: { files: [] } }]);
    });`;
  const archives = createArchives(
    new URL(`data:text/javascript,${encodeURIComponent(worker)}`),
    undefined,
    (error) => expect.unreachable(String(error)),
    60_000,
  );
  onTestFinished(archives.close);
  const facts = innerFacts(factsOf(await stat(import.meta.filename, { bigint: true })), 1);
  return archives.list('a.zip', facts);
};

const busyFor = (ms: number) => `for (const end = performance.now() + ${ms}; performance.now() < end; );`;

test('an archive that takes 300 MB is stopped, even between the steps of its reader', async () => {
  const hold = 'globalThis.held = Array.from({ length: 30 }, () => new Uint8Array(10_000_000).fill(1));';
  expect(await listAfter(`${hold} ${busyFor(30_000)}`)).toEqual({ unopened: 'stopped' });
});

test('an archive is not stopped for the memory of other work in the process', async () => {
  const listing = listAfter(busyFor(1_500));
  // By now, the listing has begun.
  await setTimeout(300);
  const held = Array.from({ length: 8 }, () => Buffer.alloc(40_000_000, 1));
  expect(await listing).toEqual({ files: [] });
  expect(held).toHaveLength(8);
});

/** Creates a zip of files whose names have these bytes. The zip does not state how the names are encoded. */
const zipNamed = (...names: readonly Buffer[]): Buffer => {
  const places = names.map((name, index) => String.fromCharCode(0x61 + index).repeat(name.length));
  const zip = Buffer.from(zipSync(Object.fromEntries(places.map((place) => [place, new Uint8Array(8)]))));
  for (const [index, place] of places.entries())
    for (let at = zip.indexOf(place); at >= 0; at = zip.indexOf(place, at)) at += names[index]?.copy(zip, at) ?? 1;
  return zip;
};

test('the names in a zip are those of its maker, on a Mac or in Western European Windows', async () => {
  const root = mkdtempSync(join(tmpdir(), 'inspection-desk-test-'));
  const path = join(root, 'a.zip');
  const cp850 = Buffer.from('S\x9bndergade 5/\x9d k\x94k, b\x86d.jpg', 'latin1');
  writeFileSync(path, zipNamed(Buffer.from('Åkervägen 5/Kök.jpg'), cp850, Buffer.from('Plan\\1.pdf')));
  const archives = createArchives(new URL('./read-worker.ts', import.meta.url), undefined, (error) =>
    expect.unreachable(String(error)),
  );
  onTestFinished(() => {
    archives.close();
    rmSync(root, { recursive: true });
  });
  const facts = innerFacts(factsOf(await stat(path, { bigint: true })), 8);
  const listing = await archives.list(path, facts);
  const names = ['a.zip', 'Åkervägen 5/Kök.jpg', 'Søndergade 5/Ø kök, båd.jpg', 'Plan/1.pdf'];
  expect(listing).toMatchObject({ files: names.map((name) => ({ path: name })) });
  expect((await archives.open(insideOf(path, names[1] ?? ''), facts)).whole).toHaveLength(8);
});

test('attachments of a mail are its parts with a name or a disposition; one without a name gets an ending', async () => {
  const root = mkdtempSync(join(tmpdir(), 'inspection-desk-test-'));
  const path = join(root, 'a.eml');
  const part = (type: string, disposition = 'attachment') =>
    ['--x', `Content-Type: ${type}`, `Content-Disposition: ${disposition}`, '', 'content', ''].join('\r\n');
  const types = ['application/pdf', 'application/octet-stream', 'image/png', 'text/calendar', 'text/csv; name=b.txt'];
  const inline = [
    part('text/plain', 'inline'),
    part('text/html', 'inline; filename=c.html'),
    part('text/plain; name=d.txt', 'inline'),
  ];
  const head = 'Subject: Plans\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n';
  writeFileSync(path, `${head}${[...types.map((type) => part(type)), ...inline].join('')}--x--\r\n`);
  const archives = createArchives(new URL('./read-worker.ts', import.meta.url), undefined, (error) =>
    expect.unreachable(String(error)),
  );
  onTestFinished(() => {
    archives.close();
    rmSync(root, { recursive: true });
  });
  const facts = innerFacts(factsOf(await stat(path, { bigint: true })), 1);
  const unnamed = ['attachment 1.pdf', 'attachment 2', 'attachment 3.png', 'attachment 4'];
  const names = ['a.eml', ...unnamed, 'b.txt', 'c.html', 'd.txt'];
  expect(await archives.list(path, facts)).toMatchObject({ files: names.map((name) => ({ path: name })) });
});

test('attachments that a mail does not encode as base64 have all their bytes, and no others', async () => {
  const root = mkdtempSync(join(tmpdir(), 'inspection-desk-test-'));
  const path = join(root, 'a.eml');
  const table = 'a;b\r\nå;1\n\nend';
  const quoted = 'a;b\r\n=C3=A5;=\r\n1\n\nend';
  const forwarded = 'Subject: Offer\r\n\r\nHello\r\n';
  const event = 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n';
  const part = (type: string, encoding: string, content: string) =>
    `--x\r\nContent-Type: ${type}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${content}\r\n`;
  // The alternatives of a text are no attachments, although mail programs show no invitation as a text.
  const invitation = `${part('text/plain', '7bit', 'Join').replace('x', 'y')}${part('text/calendar', '7bit', event).replace('x', 'y')}--y--`;
  const parts = [
    part('multipart/alternative; boundary=y', '7bit', invitation),
    part('text/csv; name=a.csv', '8bit', table),
    part('text/csv; name=b.csv', 'quoted-printable', quoted),
    part('message/rfc822', '7bit', forwarded),
    part('text/calendar; name=invite.ics', '7bit', event),
    part('application/octet-stream; name=binary', 'binary', '\r\r\n\n'),
  ];
  const head = 'Subject: Plans\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n';
  writeFileSync(path, `${head}${parts.join('')}--x--\r\n`);
  const archives = createArchives(new URL('./read-worker.ts', import.meta.url), undefined, (error) =>
    expect.unreachable(String(error)),
  );
  onTestFinished(() => {
    archives.close();
    rmSync(root, { recursive: true });
  });
  const facts = innerFacts(factsOf(await stat(path, { bigint: true })), 1);
  // A forwarded mail is named after its subject.
  const contents = {
    'a.csv': table,
    'b.csv': table,
    'Offer.eml': forwarded,
    'invite.ics': event,
    binary: '\r\r\n\n',
  };
  const names = ['a.eml', ...Object.keys(contents)];
  expect(await archives.list(path, facts)).toMatchObject({ files: names.map((name) => ({ path: name })) });
  for (const [name, content] of Object.entries(contents))
    expect((await archives.readWhole(insideOf(path, name), undefined, 1_000))?.toString()).toBe(content);
});

test('a forwarded mail whose long subject is cut at an emoji has a name that every database can store', async () => {
  const root = mkdtempSync(join(tmpdir(), 'inspection-desk-test-'));
  const path = join(root, 'a.eml');
  const subject = `${'a'.repeat(199)}\u{1f3e0}`;
  const forwarded = `Subject: ${subject}\r\n\r\nHello\r\n`;
  const head = `Subject: ${subject}\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n`;
  writeFileSync(path, `${head}--x\r\nContent-Type: message/rfc822\r\n\r\n${forwarded}\r\n--x--\r\n`);
  const archives = createArchives(new URL('./read-worker.ts', import.meta.url), undefined, (error) =>
    expect.unreachable(String(error)),
  );
  onTestFinished(() => {
    archives.close();
    rmSync(root, { recursive: true });
  });
  const facts = innerFacts(factsOf(await stat(path, { bigint: true })), 1);
  const name = `${'a'.repeat(199)}\ufffd`;
  expect(await archives.list(path, facts)).toMatchObject({
    title: name,
    files: [{ path: 'a.eml' }, { path: `${name}.eml` }],
  });
});

test('the names in a mail of Outlook without Unicode are those of Western European Windows', async () => {
  const root = mkdtempSync(join(tmpdir(), 'inspection-desk-test-'));
  const path = join(root, 'a.msg');
  const document = (name: string, text: string): Entry => {
    const bytes = new Uint8Array(Buffer.from(text, 'latin1'));
    return { name, type: TypeEnum.DOCUMENT, length: bytes.length, binaryProvider: () => bytes };
  };
  const folder = (name: string, type: TypeEnum, children: number[]): Entry => ({ name, type, children, length: 0 });
  const mail = [
    folder('Root Entry', TypeEnum.ROOT, [1, 2, 3]),
    document('__properties_version1.0', '\0'.repeat(32)),
    document('__substg1.0_0037001E', 'K\xf6k \x96 Plan'),
    folder('__attach_version1.0_#00000000', TypeEnum.DIRECTORY, [4, 5, 6]),
    document('__properties_version1.0', '\0'.repeat(8)),
    document('__substg1.0_37010102', 'content'),
    document('__substg1.0_3707001E', 'K\xf6k \x96 1.pdf'),
  ];
  writeFileSync(path, burn(mail));
  const archives = createArchives(new URL('./read-worker.ts', import.meta.url), undefined, (error) =>
    expect.unreachable(String(error)),
  );
  onTestFinished(() => {
    archives.close();
    rmSync(root, { recursive: true });
  });
  const facts = innerFacts(factsOf(await stat(path, { bigint: true })), 1);
  const files = [{ path: 'a.msg' }, { path: 'Kök – 1.pdf' }];
  expect(await archives.list(path, facts)).toMatchObject({ title: 'Kök – Plan', files });
});

test('a mail is named by the day on which it was sent here', async () => {
  const before = process.env.TZ;
  // In Sydney the next day has begun when the mail is sent.
  process.env.TZ = 'Australia/Sydney';
  const root = mkdtempSync(join(tmpdir(), 'inspection-desk-test-'));
  const path = join(root, 'a.eml');
  writeFileSync(path, 'Subject: Plans\r\nDate: Fri, 1 May 2026 22:00:00 +0000\r\n\r\nSee above.\r\n');
  const archives = createArchives(new URL('./read-worker.ts', import.meta.url), undefined, (error) =>
    expect.unreachable(String(error)),
  );
  onTestFinished(() => {
    archives.close();
    rmSync(root, { recursive: true });
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  });
  const facts = innerFacts(factsOf(await stat(path, { bigint: true })), 1);
  expect(await archives.list(path, facts)).toMatchObject({ title: 'Plans (2026-05-02)' });
});

test('an archive on a drive that is gone cannot be read, and is not damaged', async () => {
  const root = mkdtempSync(join(tmpdir(), 'inspection-desk-test-'));
  const path = join(root, 'a.zip');
  const sizeBytes = 1_000_000;
  writeFileSync(path, zipSync({ one: new Uint8Array(sizeBytes).fill(1) }));
  const facts = innerFacts(factsOf(await stat(path, { bigint: true })), sizeBytes);
  const { port1, port2 } = new MessageChannel();
  serveArchives(port1);
  const { call } = connectPort<ArchiveCalls>(port2, {}, (error) => expect.unreachable(String(error)));
  onTestFinished(() => {
    vi.restoreAllMocks();
    port2.close();
    rmSync(root, { recursive: true });
  });
  const request = { path: insideOf(path, 'one'), expected: facts };
  const gone = { code: 'upload/file-unreadable', details: { cause: 'EIO' } };
  const lose = () =>
    vi.spyOn(fs, 'read').mockImplementation(((...args: readonly unknown[]) => {
      const done = args.at(-1) as (error: Error) => void;
      setImmediate(done, Object.assign(new Error('EIO'), { code: 'EIO', syscall: 'read' }));
    }) as typeof fs.read);
  lose();
  await expect(call.list(request)).rejects.toMatchObject(gone);
  vi.restoreAllMocks();
  expect(await call.look(request)).toBe(sizeBytes);
  lose();
  await expect(call.next(await call.begin(request))).rejects.toMatchObject(gone);
});
