/** The stored tokens: encrypted in a file, whose key is in the keychain. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { attempt } from 'es-toolkit/util/attempt';
import { codeOf, DeskError } from '../../contract/errors.ts';
import { wallNow } from '../async/clock.ts';
import { FILE_MODE, makeFolder, moveAside, removeAside, replaceFile } from '../data/files.ts';
import type { Keychain } from './keychain.ts';
import { TokenSet } from './token-endpoint.ts';

/** Stores the token set of one connection. */
export type Vault = {
  /**
   * Checks that the keychain can be used by `save`. To be called before a sign-in.
   * @throws DeskError `keychain/unavailable`, `data/unwritable`
   */
  readonly prepare: () => Promise<void>;
  /**
   * Resolves to the stored tokens, or to undefined if no tokens are stored. A file that is damaged, or that the key in
   * the keychain does not open, is moved aside, and an earlier one is removed.
   * @throws DeskError `vault/unreadable` (details `file`) if the file cannot be read or was moved aside, or if the
   * keychain returns no key; `keychain/unavailable`, `data/unwritable`
   */
  readonly load: () => Promise<TokenSet | undefined>;
  /** Replaces the stored tokens atomically. @throws DeskError `keychain/unavailable`, `data/unwritable` */
  readonly save: (tokens: TokenSet) => Promise<void>;
  /** Removes the stored tokens. @throws DeskError `data/unwritable` */
  readonly erase: () => Promise<void>;
};

/** Creates a vault that stores the tokens in memory only (`--token-store memory`). */
export const createMemoryVault = (): Vault => {
  let stored: TokenSet | undefined;
  return {
    prepare: async () => {},
    load: async () => stored,
    save: async (tokens) => {
      stored = tokens;
    },
    erase: async () => {
      stored = undefined;
    },
  };
};

// The keychain has only the key, because tokens can be too long for it: Windows limits a credential to 2,560 bytes.

type SealedVaultOptions = {
  /** The data directory. The file is `<home>/tokens/<connectionId>.sealed`, next to `<home>/tokens/home.id`. */
  readonly home: string;
  readonly keychain: Keychain;
  readonly connectionId: string;
};

/** Creates a vault whose file can be decrypted only for the connection `connectionId`. */
export const createSealedVault = ({ home, keychain, connectionId }: SealedVaultOptions): Vault => {
  const path = join(home, 'tokens', `${connectionId}.sealed`);
  /** All data directories of a user share the keychain, so each has keys of its own. */
  const accountOf = async (): Promise<string> => `tokens-${connectionId}-${await homeIdOf(home)}`;

  const storedSecret = async (): Promise<string | null> => keychain.get(await accountOf());

  const ownKey = async (): Promise<Buffer> => {
    const stored = keyIn((await storedSecret()) ?? '');
    if (stored !== undefined) return stored;
    const key = randomBytes(keyBytes);
    await keychain.set(await accountOf(), key.toString('base64'));
    return key;
  };

  const setAside = (): DeskError => {
    attempt(() => removeAside(path));
    const [, moved] = attempt(() => moveAside(path, wallNow()));
    return unreadable(String(moved?.details.file ?? path));
  };

  return {
    prepare: async () => {
      await ownKey();
    },

    load: async () => {
      const sealed = await readIfThere(path);
      if (sealed === undefined) return undefined;
      const secret = await storedSecret();
      // A locked Secret Service whose prompt the user closes responds as if it had no key. The file stays, because the
      // key may be there at the next start.
      if (secret === null) throw unreadable(path);
      const key = keyIn(secret);
      try {
        if (key === undefined) throw new Error('no key');
        return TokenSet.parse(JSON.parse(unseal(sealed, key, connectionId)));
      } catch {
        // The cause is left out, because a parse error would quote the tokens.
        throw setAside();
      }
    },

    save: async (tokens) => {
      const sealed = seal(JSON.stringify(tokens), await ownKey(), connectionId);
      await writing(store(path, sealed));
    },

    erase: async () => {
      await writing(rm(path, { force: true }));
      // Without the file the key is useless, so a sign-out succeeds even if the keychain is not available.
      await accountOf()
        .then(keychain.delete)
        .catch(() => {});
    },
  };
};

/** Returns the random id of the data directory `home`. The id is created when it is first needed. */
const homeIdOf = async (home: string): Promise<string> => {
  const path = join(home, 'tokens', 'home.id');
  const stored = (await readIfThere(path))?.toString('latin1');
  if (stored !== undefined && /^[0-9a-f]{32}$/.test(stored)) return stored;
  const id = randomBytes(16).toString('hex');
  await writing(store(path, Buffer.from(id)));
  return id;
};

const store = async (path: string, sealed: Buffer): Promise<void> => {
  makeFolder(dirname(path));
  await replaceFile(path, (temporary) => writeFile(temporary, sealed, { mode: FILE_MODE, flag: 'wx' }));
};

const readIfThere = async (path: string): Promise<Buffer | undefined> => {
  try {
    return await readFile(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw new DeskError('vault/unreadable', 'the stored tokens cannot be read', {
      details: { file: basename(path) },
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

const unreadable = (path: string): DeskError =>
  new DeskError('vault/unreadable', 'the stored tokens cannot be opened', { details: { file: basename(path) } });

const keyBytes = 32;

const keyIn = (secret: string): Buffer | undefined => {
  const key = Buffer.from(secret, 'base64');
  return key.length === keyBytes ? key : undefined;
};

const version = Buffer.of(1);
const nonceBytes = 12;
const tagBytes = 16;
const headBytes = version.length + nonceBytes + tagBytes;

/**
 * Encrypts `text` with the 32-byte `key`. The result is the version (1 byte), nonce (12), tag (16) and ciphertext.
 * `context` is authenticated but not stored: `unseal` needs the same context.
 */
const seal = (text: string, key: Buffer, context: string): Buffer => {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
  cipher.setAAD(Buffer.concat([version, Buffer.from(context)]));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([version, nonce, cipher.getAuthTag(), sealed]);
};

/**
 * Decrypts the text in `sealed`.
 * @throws Error if `sealed` is damaged, or has another version, key or context
 */
const unseal = (sealed: Buffer, key: Buffer, context: string): string => {
  if (sealed.length < headBytes || sealed[0] !== version[0]) throw new Error('not a sealed text of this version');
  const nonce = sealed.subarray(version.length, version.length + nonceBytes);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
  decipher.setAAD(Buffer.concat([version, Buffer.from(context)]));
  decipher.setAuthTag(sealed.subarray(headBytes - tagBytes, headBytes));
  return Buffer.concat([decipher.update(sealed.subarray(headBytes)), decipher.final()]).toString('utf8');
};
