/** The kinds of storage that the sandbox can have. */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createGoogle } from './google.ts';
import type { Account, StorageKind } from './kind.ts';
import { createOwn } from './own-signature.ts';
import { createS3 } from './s3.ts';

/**
 * `s3` and `google` sign and check as the services document it. `plain` responds with the MD5 as ETag, `bare` with
 * nothing but 200; `azure` only resembles Azure in its URLs and responses.
 */
export const storageDialects = ['plain', 'bare', 's3', 'google', 'azure'] as const;
export type StorageDialect = (typeof storageDialects)[number];

/** A storage of this kind. `account`: whose signatures it accepts. */
export const createStorageKind = (dialect: StorageDialect, account: Account): StorageKind => {
  if (dialect === 's3') return createS3(account);
  return dialect === 'google' ? createGoogle(account) : createOwn(dialect, account.key);
};

/** An account for a storage of this kind. `keep` returns the stored key, or stores the one that `create` makes. */
export const createAccount = (dialect: StorageDialect, keep: (create: () => string) => string): Account => {
  if (dialect !== 'google')
    return { id: 'AKIAINSPECTIONDESKSB', key: keep(() => randomBytes(30).toString('base64url')) };
  return { id: 'sandbox@inspection-desk.iam.gserviceaccount.com', key: keep(rsaKey) };
};

/** A private key in PEM. */
const rsaKey = (): string => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
};
