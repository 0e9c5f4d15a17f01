/** Reads archives and mails in a separate worker, with limits, because the author of an archive may be hostile. */
import { isUtf8 } from 'node:buffer';
import type { FileHandle } from 'node:fs/promises';
import { posix } from 'node:path';
import { Readable } from 'node:stream';
import type { MessagePort } from 'node:worker_threads';
import { crc32 } from 'node:zlib';
import msgReader from '@kenjiuno/msgreader';
import { mapAsync } from 'es-toolkit/array/mapAsync';
import PostalMime from 'postal-mime';
import yauzl, { type Entry as ZipEntry } from 'yauzl';
import { Unopened } from '../../../contract/drafts.ts';
import { DeskError } from '../../../contract/errors.ts';
import { createSerial } from '../../async/lock.ts';
import { connectPort } from '../../async/port-calls.ts';
import { localDay } from '../../data/csv.ts';
import { archiveFacts, type Expected, type FileFacts } from './file-identity.ts';
import { assertUnchanged, changed, fill, letGo, openInPlace, statsOf, unreadable } from './open-file.ts';
import { archiveOf, isZip, splitInner } from './paths.ts';
import { type Listing, leftOutByName } from './scan.ts';

const MOST_ENTRIES = 20_000;
const MOST_ATTACHMENTS = 2_000;
/** The maximum size of a mail, in bytes. A mail is parsed in memory. */
const MOST_MAIL_BYTES = 40 * 1024 * 1024;
/** The maximum size of the names, comments and extra fields of all entries of a zip together, in bytes. */
const MOST_DIRECTORY_BYTES = 16 * 1024 * 1024;
const DEEPEST = 50;
/**
 * A zip is refused as a bomb if the total size of its files exceeds both limits: `BOMB_BYTES`, and `BOMB_RATIO` times
 * the size of the zip. Documents reach a ratio of 20, and scans of empty pages reach 100.
 */
const BOMB_BYTES = 256 * 1024 * 1024;
const BOMB_RATIO = 200;
/** The estimated memory above which the least recently used archives and mails are forgotten. */
const REMEMBERED_BYTES = 40 * 1024 * 1024;
/** The estimated memory of one remembered entry of an archive, or attachment of a mail. */
const ENTRY_BYTES = 500;
/** The minimum size of the parts of a file that are passed to the requester, in bytes; the last part may be smaller. */
const PART_BYTES = 256 * 1024;

/** A file in an archive, an attachment of a mail, or the archive or mail itself. `handle`: the open archive or mail. */
type Inner = { readonly sizeBytes: number; readonly read: (handle: FileHandle) => AsyncIterable<Uint8Array> };

type Contents = {
  readonly title?: string | undefined;
  readonly files: ReadonlyMap<string, Inner>;
  readonly leftOut: { readonly hidden: number; readonly system: number; readonly links: number };
  /** The estimated memory of these contents. */
  readonly bytes: number;
};

const refused = (reason: Unopened, cause?: unknown): DeskError =>
  new DeskError('upload/archive-damaged', `the archive cannot be opened: ${reason}`, { details: { reason }, cause });

/** Creates a map of files. `add` appends a number to a taken name: attachments of a mail often share a name. */
const createNames = <Value>(first: string, value: Value) => {
  const files = new Map([[first, value]]);
  const numbers = new Map<string, number>();
  const add = (path: string, one: Value): void => {
    const { dir, name, ext } = posix.parse(path);
    let free = path;
    for (let number = numbers.get(path) ?? 2; files.has(free); number += 1) {
      free = posix.join(dir, `${name} (${number})${ext}`);
      numbers.set(path, number + 1);
    }
    files.set(free, one);
  };
  return { files, add };
};

const whole = (sizeBytes: number): Inner => ({
  sizeBytes,
  read: async function* (handle) {
    for (let position = 0; position < sizeBytes; position += PART_BYTES)
      yield await fill(Buffer.allocUnsafe(Math.min(PART_BYTES, sizeBytes - position)), handle, position);
  },
});

const FILE_TYPE = 0o170000;
const LINK = 0o120000;

/** The Unix file type of an entry; 0 if the program that made the zip stored none. */
const typeOf = ({ externalFileAttributes }: ZipEntry): number => (externalFileAttributes >>> 16) & FILE_TYPE;

const UTF8_FLAG = 0x800;
/** The extra field in which Info-ZIP stores the name as UTF-8. yauzl reads it. */
const UNICODE_PATH = 0x7075;
/** Code page 850, which zip programs for Western European Windows use: its characters for the bytes from 0x80 on. */
const CP850 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐' +
  '└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0';

/**
 * The path of an entry. If the zip does not state the encoding of the name, the encoding is UTF-8 in zips of macOS, and
 * usually code page 850 in other zips. The format specifies code page 437 instead.
 */
const pathOf = ({ fileName, fileNameRaw, generalPurposeBitFlag, extraFields }: ZipEntry): string => {
  if (generalPurposeBitFlag & UTF8_FLAG || extraFields.some(({ id }) => id === UNICODE_PATH)) return fileName;
  const ofByte = (byte: number): string => (byte < 0x80 ? String.fromCharCode(byte) : (CP850[byte - 0x80] ?? ''));
  const path = isUtf8(fileNameRaw) ? fileNameRaw.toString() : Array.from(fileNameRaw, ofByte).join('');
  return path.replaceAll('\\', '/');
};

/** Reads a zip's list of files from its central directory. The caller translates errors of yauzl. */
const readZip = async (handle: FileHandle, name: string, sizeBytes: number): Promise<Contents> => {
  const { files, add } = createNames(name, whole(sizeBytes));
  const leftOut = { hidden: 0, system: 0, links: 0 };
  const limits = createZipLimits(sizeBytes);
  const zip = await yauzl.fromFdPromise(handle.fd, { autoClose: false });
  if (zip.entryCount > MOST_ENTRIES) throw refused('many');
  for await (const entry of zip.eachEntry()) {
    const path = pathOf(entry);
    const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
    limits.next(entry, segments.length);
    if (path.endsWith('/') || segments.length === 0) continue;
    const reason = segments.map(leftOutByName).find((one) => one !== undefined);
    if (reason || typeOf(entry) === LINK) {
      leftOut[reason ?? 'links'] += 1;
      continue;
    }
    if (!entry.canDecodeFileData()) throw refused('method');
    const { compressedSize, uncompressedSize, compressionMethod, relativeOffsetOfLocalHeader: at } = entry;
    const packed = { at, compressedSize, uncompressedSize, compressionMethod, crc32: entry.crc32 };
    add(segments.join('/'), { sizeBytes: uncompressedSize, read: (open) => unpacked(open, packed) });
  }
  return { files, leftOut, bytes: limits.end() + files.size * ENTRY_BYTES };
};

/** Creates a check of a zip of this size against the limits. `next` and `end` throw `upload/archive-damaged`. */
const createZipLimits = (sizeBytes: number) => {
  const ranges: (readonly [from: number, to: number])[] = [];
  let [directoryBytes, unpackedBytes] = [0, 0];
  return {
    next: (entry: ZipEntry, depth: number): void => {
      const { fileName, fileNameLength, compressedSize, relativeOffsetOfLocalHeader: at } = entry;
      directoryBytes += fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
      unpackedBytes += entry.uncompressedSize;
      ranges.push([at, at + LOCAL_HEADER_BYTES + fileNameLength + compressedSize]);
      if (directoryBytes > MOST_DIRECTORY_BYTES) throw refused('many');
      if (depth > DEEPEST || fileName.includes('\0')) throw refused('unsafe');
      if (entry.isEncrypted()) throw refused('encrypted');
    },
    /** Checks the zip as a whole. Returns the total size of its names, extra fields and comments, in bytes. */
    end: (): number => {
      if (unpackedBytes > BOMB_BYTES && unpackedBytes > BOMB_RATIO * sizeBytes) throw refused('bomb');
      ranges.sort(([one], [other]) => one - other);
      // Entries that overlap share their data, so a small zip could unpack to far more data.
      if (ranges.some(([from], index) => from < (ranges[index - 1]?.[1] ?? 0))) throw refused('bomb');
      if ((ranges.at(-1)?.[1] ?? 0) > sizeBytes) throw refused('damaged');
      return directoryBytes;
    },
  };
};

const LOCAL_HEADER_BYTES = 30;

type Packed = Pick<ZipEntry, 'compressedSize' | 'uncompressedSize' | 'compressionMethod' | 'crc32'> & {
  readonly at: number;
};

/** Yields the unpacked bytes of an entry. Throws if the entry's size or checksum is wrong. */
async function* unpacked(handle: FileHandle, { at, ...packed }: Packed): AsyncGenerator<Uint8Array, void> {
  const zip = await yauzl.fromFdPromise(handle.fd, { autoClose: false });
  const entry = Object.assign(new yauzl.Entry(), packed, { relativeOffsetOfLocalHeader: at, generalPurposeBitFlag: 0 });
  const stream = await zip.openReadStreamPromise(entry);
  let sum = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      sum = crc32(chunk, sum);
      yield chunk;
    }
  } finally {
    stream.destroy();
  }
  if (sum !== packed.crc32) throw new Error('the checksum is another');
}

type Mail = {
  readonly subject: string;
  readonly sender: string;
  readonly date: Date | undefined;
  /**
   * `name`: empty if the mail does not name the attachment. `ending`: the ending of the name that such an attachment
   * gets.
   */
  readonly attachments: readonly { readonly name: string; readonly ending?: string; readonly content: Uint8Array }[];
};

/** Reads a mail: its own file and its attachments. The caller translates errors of the libraries. */
const readMail = async (handle: FileHandle, name: string, sizeBytes: number): Promise<Contents> => {
  if (sizeBytes > MOST_MAIL_BYTES) throw refused('large');
  const bytes = await fill(Buffer.allocUnsafeSlow(sizeBytes), handle, 0);
  const mail = /\.eml$/i.test(name) ? await parseEml(bytes) : parseMsg(bytes);
  const { attachments, ...about } = mail;
  if (attachments.length > MOST_ATTACHMENTS) throw refused('many');
  const { files, add } = createNames(name, whole(sizeBytes));
  attachments.forEach(({ name: own, ending = '', content }, index) => {
    add(attachmentName(own) || `attachment ${index + 1}${ending}`, {
      sizeBytes: content.length,
      read: () => Readable.from(inParts(content)),
    });
  });
  const held = attachments.reduce((sum, { content }) => sum + content.length, 0);
  return {
    title: titleOf(about, name),
    files,
    leftOut: { hidden: 0, system: 0, links: 0 },
    bytes: held + files.size * ENTRY_BYTES,
  };
};

function* inParts(content: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < content.length; at += PART_BYTES) yield content.subarray(at, at + PART_BYTES);
}

/** A header of a part of a mail. Without the header, `params` is empty. */
type PartHeader = { readonly parsed: { readonly value: string; readonly params: Readonly<Record<string, string>> } };

type MailPart = {
  readonly contentType: PartHeader;
  readonly contentDisposition: PartHeader;
  readonly contentTransferEncoding: { readonly encoding: string };
  readonly parentNode?: MailPart;
  readonly state: 'header' | 'body' | 'finished';
};

const isAttached = (type: PartHeader['parsed'], disposition: PartHeader['parsed']): boolean =>
  disposition.value === 'attachment' || Boolean(disposition.params.filename || type.params.name);

/** Decodes quoted-printable text (RFC 2045, 6.7), and keeps its line breaks. */
const unquoted = (bytes: Uint8Array): Buffer => {
  const text = Buffer.from(bytes)
    .toString('latin1')
    .replaceAll(/=(?:\r?\n|$)/g, '');
  const byteOf = (_: string, hex: string): string => String.fromCharCode(Number.parseInt(hex, 16));
  return Buffer.from(text.replaceAll(/=([0-9a-f]{2})/gi, byteOf), 'latin1');
};

const [CR, LF] = [0x0d, 0x0a];

/** postal-mime with internal members that its declarations leave out. */
const InternalPostalMime = PostalMime as unknown as new (
  options: ConstructorParameters<typeof PostalMime>[0],
) => PostalMime & {
  /** The mail. */
  readonly av: Uint8Array;
  /** The position in `av` after the line that is processed. */
  readonly readPos: number;
  readonly currentNode: MailPart;
  readonly attachments: { content: Uint8Array | ArrayBuffer }[];
  processLine(line: Uint8Array, isFinal: boolean): Promise<void>;
  collectAttachment(part: MailPart, content: ArrayBuffer, ...others: readonly unknown[]): void;
};

/**
 * Parses mails like postal-mime, but chooses attachments as mail programs do, and keeps their bytes: postal-mime changes
 * the line breaks of parts that are not encoded as base64.
 */
class MailParser extends InternalPostalMime {
  /** The bytes of each part in the mail, without the line break before the next boundary. */
  private readonly bodies = new Map<MailPart, { readonly from: number; to: number }>();

  /**
   * Whether a part belongs to the text of the mail. postal-mime also adds text with a file name, unless its disposition
   * is `attachment`.
   */
  isInlineTextNode({ contentType: { parsed: type }, contentDisposition: { parsed: disposition } }: MailPart): boolean {
    return (type.value === 'text/plain' || type.value === 'text/html') && !isAttached(type, disposition);
  }

  override async processLine(line: Uint8Array, isFinal: boolean): Promise<void> {
    const part = this.currentNode;
    const isInBody = part.state === 'body';
    await super.processLine(line, isFinal);
    // The line was a boundary.
    if (!isInBody || this.currentNode !== part) return;
    const body = this.bodies.get(part) ?? { from: line.byteOffset, to: 0 };
    const [beforeLast, last] = this.av.subarray(this.readPos - 2, this.readPos);
    body.to = this.readPos - (last !== LF ? 0 : beforeLast === CR ? 2 : 1);
    this.bodies.set(part, body);
  }

  override collectAttachment(part: MailPart, content: ArrayBuffer, ...others: readonly unknown[]): void {
    const { contentType, contentDisposition, parentNode } = part;
    const [type, disposition] = [contentType.parsed, contentDisposition.parsed];
    // The text of the mail in another form, such as an invitation for calendars.
    const isAlternative = parentNode?.contentType.parsed.value === 'multipart/alternative';
    if (isAlternative && type.value.startsWith('text/') && !isAttached(type, disposition)) return;
    super.collectAttachment(part, content, ...others);
    const added = this.attachments.at(-1);
    if (added) added.content = this.contentOf(part, content);
  }

  /** `content`: the content as postal-mime decoded it. */
  private contentOf(part: MailPart, content: ArrayBuffer): Uint8Array | ArrayBuffer {
    const { encoding } = part.contentTransferEncoding;
    if (encoding.includes('base64')) return content;
    const { from, to } = this.bodies.get(part) ?? { from: 0, to: 0 };
    return encoding.includes('quoted-printable') ? unquoted(this.av.subarray(from, to)) : this.av.slice(from, to);
  }
}

const parseEml = async (bytes: Buffer): Promise<Mail> => {
  // A mail begins with headers.
  if (!/^[\x21-\x39\x3b-\x7e]+:/m.test(bytes.toString('latin1', 0, 4_096))) throw refused('damaged');
  const parser = new MailParser({ attachmentEncoding: 'arraybuffer', forceRfc822Attachments: true });
  const mail = await parser.parse(bytes);
  const { subject = '', from, date } = mail;
  return {
    subject,
    sender: from?.name || from?.address || '',
    date: date === undefined ? undefined : new Date(date),
    attachments: await mapAsync(
      mail.attachments,
      async ({ filename, mimeType, content: decoded }) => {
        const content = typeof decoded === 'string' ? Buffer.from(decoded) : new Uint8Array(decoded);
        const name = filename ?? (mimeType === 'message/rfc822' ? await forwardedName(content) : '');
        return { name, ending: endingOf(mimeType), content };
      },
      { concurrency: 1 },
    ),
  };
};

/** The maximum number of bytes of the headers of a forwarded mail that are read. */
const HEADER_BYTES = 64 * 1024;

/** Names a forwarded mail after its subject, as mail programs do. */
const forwardedName = async (content: Uint8Array): Promise<string> => {
  const [headers = ''] = Buffer.from(content.subarray(0, HEADER_BYTES))
    .toString('latin1')
    .split(/\r?\n\r?\n/, 1);
  const { subject = '' } = await PostalMime.parse(content.slice(0, headers.length));
  return `${subject.slice(0, LONGEST_TITLE) || 'message'}.eml`;
};

/**
 * Returns the ending for a MIME type whose subtype can be used as an ending, such as `.pdf` for `application/pdf`;
 * otherwise an empty text.
 */
const endingOf = (mimeType: string): string => {
  const [, subtype = ''] = mimeType.split('/');
  return /^[a-z0-9]{2,4}$/i.test(subtype) ? `.${subtype}` : '';
};

const MsgReader = 'default' in msgReader ? (msgReader as unknown as { default: typeof msgReader }).default : msgReader;

const parseMsg = (bytes: Buffer): Mail => {
  const reader = new MsgReader(new DataView(bytes.buffer, bytes.byteOffset, bytes.length));
  // A mail that was saved without Unicode does not reliably state its code page.
  reader.parserConfig = { ansiEncoding: 'windows-1252' };
  const mail = reader.getFileData();
  if (mail.error !== undefined) throw refused('damaged');
  const { attachments = [], clientSubmitTime = mail.messageDeliveryTime } = mail;
  if (attachments.length > MOST_ATTACHMENTS) throw refused('many');
  return {
    subject: mail.subject ?? '',
    sender: mail.senderName || mail.senderEmail || '',
    date: clientSubmitTime === undefined ? undefined : new Date(clientSubmitTime),
    attachments: attachments.map((one) => {
      const { fileName, content } = reader.getAttachment(one);
      return { name: fileName ?? one.fileNameShort ?? '', content };
    }),
  };
};

/**
 * Writes `_` for control characters and slashes, and makes the name well-formed: the ledger would store half a surrogate
 * pair as another character. Returns an empty text if no usable name remains.
 */
const attachmentName = (name: string): string => {
  const plain = name
    .toWellFormed()
    .replaceAll(/[\p{Cc}/\\]/gu, '_')
    .trim();
  return /^\.*$/.test(plain) ? '' : plain;
};

const LONGEST_TITLE = 200;

/** A mail's file name with fewer letters, such as a number, says nothing about the mail, so the title omits it. */
const FEWEST_LETTERS = 5;

/**
 * Names the folder of a mail, such as `Inspection of Main Street 5 (Anna Berg, 2026-05-02)`. The name of the mail's
 * file follows, unless the subject contains this name, or the name has few letters. Returns undefined for a mail
 * without a subject.
 */
const titleOf = ({ subject, sender, date }: Omit<Mail, 'attachments'>, fileName: string): string | undefined => {
  const about = subject
    .replaceAll(/[\p{Cc}/\\]+/gu, '-')
    .trim()
    .slice(0, LONGEST_TITLE);
  if (about === '') return undefined;
  const day = date === undefined || Number.isNaN(date.getTime()) ? '' : localDay(date);
  const by = sender.replaceAll(/[\p{Cc}/\\]+/gu, '-').slice(0, LONGEST_TITLE);
  const origin = [by, day].filter(Boolean).join(', ');
  const letters = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  const own = letters(posix.parse(fileName).name);
  const isTold = letters(about).includes(own) || (own.match(/\p{L}/gu)?.length ?? 0) < FEWEST_LETTERS;
  return `${about}${origin && ` (${origin})`}${isTold ? '' : ` ${fileName}`}`.toWellFormed();
};

/** A request about an archive or a file in it (`path`). `expected`: the archive's facts, or the file's `innerFacts`. */
type InnerRequest = { readonly path: string; readonly expected: Expected };

const createCalls = () => {
  const remembered = new Map<string, Contents>();
  const inTurn = createSerial();
  const streams = new Map<number, AsyncGenerator<Uint8Array, void>>();
  let lastId = 0;

  /** Reads the archive's contents unless they are remembered, one archive at a time to limit the memory. */
  const contentsOf = (archive: string, handle: FileHandle, facts: FileFacts): Promise<Contents> =>
    inTurn(async () => {
      const key = JSON.stringify([archive, facts.sizeBytes, facts.modifiedMs, facts.identity]);
      const known = remembered.get(key);
      remembered.delete(key);
      let bytes = known?.bytes ?? facts.sizeBytes;
      for (const one of remembered.values()) bytes += one.bytes;
      for (const [other, one] of remembered) {
        if (bytes <= REMEMBERED_BYTES) break;
        remembered.delete(other);
        bytes -= one.bytes;
      }
      const read = isZip(archive) ? readZip : readMail;
      const contents = known ?? (await read(handle, baseOf(archive), facts.sizeBytes).catch(translated));
      remembered.set(key, contents);
      return contents;
    });

  /** Opens the archive; the caller closes `handle`. */
  const opened = async ({ path, expected }: InnerRequest) => {
    const archive = archiveOf(path);
    const handle = await openInPlace(archive, expected.within);
    try {
      const facts = archiveFacts(expected, Number((await statsOf(handle)).size));
      await assertUnchanged(handle, facts);
      return { handle, facts, contents: await contentsOf(archive, handle, facts) };
    } catch (error) {
      await letGo(handle);
      throw error;
    }
  };

  /** Yields the bytes of a file in an archive. The last part is yielded only if the archive has not changed. */
  async function* read(request: InnerRequest): AsyncGenerator<Uint8Array, void> {
    const { handle, facts, contents } = await opened(request);
    try {
      const inner = contents.files.get(splitInner(request.path)?.inner ?? '');
      if (inner?.sizeBytes !== request.expected.sizeBytes) throw changed('it is another one in the archive');
      let parts: Uint8Array[] = [];
      let [waiting, bytes] = [0, 0];
      for await (const part of inner.read(handle)) {
        if (waiting >= PART_BYTES) {
          yield Buffer.concat(parts);
          [parts, waiting] = [[], 0];
        }
        parts.push(part);
        waiting += part.length;
        bytes += part.length;
      }
      if (bytes !== inner.sizeBytes) throw refused('damaged');
      await assertUnchanged(handle, facts);
      yield Buffer.concat(parts);
    } catch (error) {
      translated(error);
    } finally {
      await letGo(handle);
    }
  }

  return {
    list: async (request: InnerRequest): Promise<Listing> => {
      try {
        const { handle, contents } = await opened(request);
        await letGo(handle);
        const { title, leftOut } = contents;
        const files = [...contents.files].map(([path, { sizeBytes }]) => ({ path, sizeBytes }));
        return { title, leftOut, files };
      } catch (error) {
        if (!(error instanceof DeskError) || error.code !== 'upload/archive-damaged') throw error;
        const { reason } = error.details;
        return { unopened: Unopened.catch('damaged').parse(reason) };
      }
    },
    /** Returns the size of a file in an archive, in bytes. Throws `upload/file-missing` if there is no such file. */
    look: async (request: InnerRequest): Promise<number> => {
      const { handle, contents } = await opened(request);
      await letGo(handle);
      const inner = contents.files.get(splitInner(request.path)?.inner ?? '');
      if (!inner) throw new DeskError('upload/file-missing', 'the archive no longer contains the file');
      return inner.sizeBytes;
    },
    /** Creates a stream of a file. Returns the number of the stream, for `next` and `end`. */
    begin: (request: InnerRequest): number => {
      lastId += 1;
      streams.set(lastId, read(request));
      return lastId;
    },
    next: async (id: number): Promise<Uint8Array | undefined> => (await streams.get(id)?.next())?.value ?? undefined,
    end: (id: number): void => {
      const stream = streams.get(id);
      streams.delete(id);
      stream?.return().catch(() => {});
    },
  };
};

export type ArchiveCalls = ReturnType<typeof createCalls>;

const baseOf = (path: string): string => path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);

/**
 * Throws `error` as a `DeskError`: an error of the system as `unreadable` translates it, any other as
 * `upload/archive-damaged`.
 */
const translated = (error: unknown): never => {
  if (error instanceof DeskError) throw error;
  if (error instanceof Error && 'syscall' in error) throw unreadable(error);
  const { message } = error instanceof Error ? error : { message: '' };
  if (message.includes('encryption')) throw refused('encrypted', error);
  if (/absolute path|invalid relative path|invalid characters/.test(message)) throw refused('unsafe', error);
  throw refused('damaged', error);
};

export const serveArchives = (port: MessagePort): void => {
  connectPort(port, createCalls());
};
