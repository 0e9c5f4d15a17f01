/**
 * A vault that uses the keychain: the tokens are in an encrypted file, and its key is in the keychain. Windows limits a
 * credential to 2,560 bytes, which is too small for the tokens.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DeskError } from '../../contract/errors.ts';
import { codeOf } from '../async/error-code.ts';
import { FILE_MODE, FOLDER_MODE } from '../data/data-directory.ts';
import { replaceFile } from '../data/replace-file.ts';
import type { Keychain } from './keychain.ts';
import { keyBytes, seal, unseal } from './sealing.ts';
import { TokenSet } from './tokens.ts';
import type { Vault } from './vault.ts';

type SealedVaultOptions = {
  /** The data directory: the file is `<home>/tokens/<connectionKey>.sealed`. */
  readonly home: string;
  readonly keychain: Keychain;
  readonly connectionId: string;
};

/** A vault for the connection of `connectionKey`, whose file cannot be decrypted for another connection. */
export const createSealedVault = ({ home, keychain, connectionId }: SealedVaultOptions): Vault => {
  const path = join(home, 'tokens', `${connectionId}.sealed`);
  const account = `tokens-${connectionId}`;

  const storedKey = async (): Promise<Buffer | undefined> => {
    const key = Buffer.from((await asking(keychain.get(account))) ?? '', 'base64');
    return key.length === keyBytes ? key : undefined;
  };

  const ownKey = async (): Promise<Buffer> => {
    const stored = await storedKey();
    if (stored !== undefined) return stored;
    const key = randomBytes(keyBytes);
    await asking(keychain.set(account, key.toString('base64')));
    return key;
  };

  const moveAside = async (): Promise<DeskError> => {
    const aside = `${path}.unreadable-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
    await rename(path, aside).catch(() => {});
    return new DeskError('vault/unreadable', 'the stored tokens cannot be opened', {
      details: { file: basename(aside) },
    });
  };

  return {
    prepare: async () => {
      await ownKey();
    },

    load: async () => {
      const sealed = await readIfThere(path);
      if (sealed === undefined) return undefined;
      const key = await storedKey();
      try {
        if (key === undefined) throw new Error('no key');
        return TokenSet.parse(JSON.parse(unseal(sealed, key, connectionId)));
      } catch {
        // No cause: a parse error would quote the tokens.
        throw await moveAside();
      }
    },

    save: async (tokens) => {
      const sealed = seal(JSON.stringify(tokens), await ownKey(), connectionId);
      await writing(store(path, sealed));
    },

    erase: async () => {
      await writing(rm(path, { force: true }));
      // The key is useless without the file, so signing out works even without a keychain.
      await keychain.delete(account).catch(() => {});
    },
  };
};

/** Readable and writable by the owner only. */
const store = async (path: string, sealed: Buffer): Promise<void> => {
  await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE });
  await replaceFile(path, (temporary) => writeFile(temporary, sealed, { mode: FILE_MODE, flag: 'wx' }));
};

const readIfThere = async (path: string): Promise<Buffer | undefined> => {
  try {
    return await readFile(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new DeskError('vault/unreadable', 'the stored tokens cannot be read', {
      details: { file: basename(path) },
      cause: error,
    });
  }
};

const asking = async <T>(answer: Promise<T>): Promise<T> => {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof DeskError) throw error;
    throw new DeskError('keychain/unavailable', 'the keychain of the operating system does not answer', {
      cause: error,
    });
  }
};

const writing = async (work: Promise<void>): Promise<void> => {
  try {
    await work;
  } catch (error) {
    throw new DeskError('data/unwritable', 'the tokens could not be stored', { cause: error });
  }
};
