/** The letterhead of receipts and reports. A logo is a picture on this computer, checked before it is copied and each time it is used. */
import { rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DeskError } from '../../../contract/errors.ts';
import { readBounded, replaceFile } from '../../data/files.ts';
import type { SettingsStore } from '../../settings/settings.ts';
import type { ReceiptJob } from '../../uploads/receipts/receipt.ts';

const MOST_BYTES = 1_000_000;
/** In each direction: a small file may unpack to a huge picture. */
const MOST_PIXELS = 4_000;

/** The copies in the data directory, by the type of the picture. */
const COPIES = { 'image/png': 'logo.png', 'image/jpeg': 'logo.jpg' } as const;

type Picture = { readonly type: keyof typeof COPIES; readonly bytes: Buffer };

type LetterheadOptions = {
  readonly home: string;
  readonly settings: SettingsStore;
  readonly onNotice: (error: DeskError) => void;
};

export const createLetterhead = ({ home, settings, onNotice }: LetterheadOptions) => {
  /** As a `data:` URL. Errors: `settings/logo`. */
  const logo = async (): Promise<string | undefined> => {
    const path = settings.get().letterhead.logo;
    if (path === undefined) return undefined;
    const { type, bytes } = await readPicture(resolve(home, path));
    return `data:${type};base64,${bytes.toString('base64')}`;
  };
  const setLogo = (name: string | undefined): void => {
    const { logo: _, ...others } = settings.get().letterhead;
    settings.update({ letterhead: { ...others, ...(name !== undefined && { logo: name }) } });
  };
  const removeCopies = (except?: string) =>
    Promise.all(
      Object.values(COPIES).map((name) => (name === except ? undefined : rm(join(home, name), { force: true }))),
    );
  return {
    logo,
    /** A logo that cannot be used is left out with a notice: it must not cost anybody a receipt. */
    read: async (): Promise<ReceiptJob['letterhead']> => {
      const { office, people } = settings.get().letterhead;
      const picture = await logo().catch((error) => {
        if (!(error instanceof DeskError)) throw error;
        onNotice(error);
      });
      return { people, ...(office !== undefined && { office }), ...(picture && { logo: picture }) };
    },
    /** Copies the picture at `path` into the data directory. Errors: `settings/logo`, `settings/managed`, `data/unwritable`. */
    take: async (path: string): Promise<void> => {
      const { type, bytes } = await readPicture(path);
      const name = COPIES[type];
      await replaceFile(join(home, name), (temporary) => writeFile(temporary, bytes));
      setLogo(name);
      await removeCopies(name);
    },
    forget: async (): Promise<void> => {
      setLogo(undefined);
      await removeCopies();
    },
  };
};

const readPicture = async (path: string): Promise<Picture> => {
  const unusable = (cause?: unknown) =>
    new DeskError('settings/logo', 'not a PNG or JPEG file of this size', { details: { path }, cause });
  const bytes = await readBounded(path, MOST_BYTES).catch((cause: unknown) => {
    throw unusable(cause);
  });
  const found = bytes && pictureSize(bytes);
  if (!found || Math.max(found.width, found.height) > MOST_PIXELS) throw unusable();
  return { type: found.type, bytes };
};

/** The type and the size in pixels of a picture, as its header gives them; undefined if it is neither PNG nor JPEG. */
export const pictureSize = (
  bytes: Buffer,
): { readonly type: Picture['type']; readonly width: number; readonly height: number } | undefined =>
  bytes.subarray(0, PNG_START.length).equals(PNG_START) ? pngSize(bytes) : jpegSize(bytes);

/** The signature and the length of the first chunk (PNG specification, 5.2 and 11.2.1). */
const PNG_START = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR', 'latin1');

const pngSize = (bytes: Buffer) => {
  if (bytes.length < PNG_START.length + 8) return undefined;
  const [width, height] = [bytes.readUInt32BE(PNG_START.length), bytes.readUInt32BE(PNG_START.length + 4)];
  return width > 0 && height > 0 ? { type: 'image/png' as const, width, height } : undefined;
};

/** Frame headers, SOF0 to SOF15 (ITU-T T.81, table B.1): the numbers between them stand for something else. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

const jpegSize = (bytes: Buffer) => {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  // Each segment is a marker, its length without the marker, and its content.
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    if (!isFrame(bytes[at + 1] ?? 0)) continue;
    const [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)];
    return width > 0 && height > 0 ? { type: 'image/jpeg' as const, width, height } : undefined;
  }
  return undefined;
};
