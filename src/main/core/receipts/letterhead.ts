/** The letterhead of receipts and reports. Its logo is checked before it is copied and each time it is used. */
import { rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DeskError } from '../../../contract/errors.ts';
import { readBounded, replaceFile } from '../../data/files.ts';
import { dataUrl, type PictureType, pictureSize } from '../../data/picture.ts';
import type { SettingsStore } from '../../settings/settings.ts';
import type { ReceiptJob } from '../../uploads/receipts/write-receipt.ts';

const MOST_BYTES = 1_000_000;
/** The maximum width and height of a logo, because a small file may unpack to a huge picture. */
const MOST_PIXELS = 4_000;

/** The name of the copy of the logo. Its type is read from its content. */
const COPY = 'logo';

type Picture = { readonly type: PictureType; readonly bytes: Buffer };

type LetterheadOptions = {
  readonly home: string;
  readonly settings: SettingsStore;
  readonly onNotice: (error: DeskError) => void;
};

export const createLetterhead = ({ home, settings, onNotice }: LetterheadOptions) => {
  /** The logo as a `data:` URL; undefined if there is none. Errors: `settings/logo`. */
  const logo = async (): Promise<string | undefined> => {
    const path = settings.get().letterhead.logo;
    if (path === undefined) return undefined;
    const { type, bytes } = await readPicture(resolve(home, path));
    return dataUrl(type, bytes);
  };
  const setLogo = (name: string | undefined): void => {
    const { logo: _, ...others } = settings.get().letterhead;
    settings.update({ letterhead: { ...others, ...(name !== undefined && { logo: name }) } });
  };
  return {
    logo,
    /**
     * Reads the letterhead. A logo that cannot be used is left out with a notice, so that receipts are still written.
     */
    read: async (): Promise<ReceiptJob['letterhead']> => {
      const { office, people } = settings.get().letterhead;
      const picture = await logo().catch((error) => {
        if (!(error instanceof DeskError)) throw error;
        onNotice(error);
      });
      return { people, ...(office !== undefined && { office }), ...(picture && { logo: picture }) };
    },
    /** Copies the picture at `path` as the logo. Errors: `settings/logo`, `settings/managed`, `data/unwritable`. */
    adopt: async (path: string): Promise<void> => {
      const { bytes } = await readPicture(path);
      await replaceFile(join(home, COPY), (temporary) => writeFile(temporary, bytes));
      setLogo(COPY);
    },
    forget: async (): Promise<void> => {
      setLogo(undefined);
      await rm(join(home, COPY), { force: true });
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
