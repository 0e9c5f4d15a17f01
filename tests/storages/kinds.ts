/** The kinds of storage that tests give the sandbox. */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createPlain, plainErrors } from '../../src/sandbox/storage/plain.ts';
import { createAzure } from './azure.ts';
import { createGoogle } from './google.ts';
import { createS3 } from './s3.ts';
import type { Account, TestStorage } from './test-storage.ts';

/**
 * `s3` and `google` sign and check as the services document it. `plain` is the sandbox's own storage; `bare` differs
 * from `plain` in that its responses are nothing but a status 200; `azure` only resembles Azure in its URLs and
 * responses.
 */
export const storageDialects = ['plain', 'bare', 's3', 'google', 'azure'] as const;
export type StorageDialect = (typeof storageDialects)[number];

/** Creates a storage of this kind. `account`: the account whose signatures it accepts. */
export const createStorage = (dialect: StorageDialect, account: Account = createAccount(dialect)): TestStorage => {
  if (dialect === 's3') return createS3(account);
  if (dialect === 'google') return createGoogle(account);
  if (dialect === 'azure') return createAzure(account.key);
  const plain = { ...createPlain(account.key), errors: plainErrorsByCode };
  if (dialect === 'plain') return plain;
  const receive: TestStorage['receive'] = (request) => ({
    ...plain.receive(request),
    stored: () => ({ status: 200, headers: {} }),
  });
  return { ...plain, receive };
};

const { unsigned, mismatch, noLength, tooLarge } = plainErrors;
const plainErrorsByCode = Object.fromEntries(
  [unsigned, mismatch, noLength, tooLarge].map(({ code, ...error }) => [code, error]),
);

/**
 * Creates an account for a storage of this kind. Its key is a private key in PEM for `google`, and a secret for other
 * kinds.
 */
export const createAccount = (dialect: StorageDialect): Account => {
  if (dialect !== 'google') return { id: 'AKIAINSPECTIONDESKSB', key: randomBytes(30).toString('base64url') };
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { id: 'sandbox@inspection-desk.iam.gserviceaccount.com', key };
};
