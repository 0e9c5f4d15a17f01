/** The signers of Amazon's and Google's clients, which share nothing with the checks of the storages. */
import { createSign } from 'node:crypto';
import { Storage } from '@google-cloud/storage';
import aws4 from 'aws4';
import { S3_REGION } from './s3.ts';
import type { Account } from './test-storage.ts';

/** The request that is signed. `path` is percent-encoded and begins with the bucket. Times are in ms since 1970. */
export type Signed = {
  readonly origin: string;
  readonly path: string;
  readonly atMs: number;
  readonly lifetimeS: number;
  /** Headers that are signed besides the host. */
  readonly headers?: Readonly<Record<string, string>>;
};

/** Signs a URL for a PUT. */
export type Signer = (signed: Signed) => Promise<string>;

/** Signs for S3 with aws4. */
export const awsSigner =
  ({ id, key }: Account): Signer =>
  async ({ origin, path, atMs, lifetimeS, headers = {} }) => {
    const date = new Date(atMs).toISOString().replace(/[-:]|\.\d+/g, '');
    const request = aws4.sign(
      {
        service: 's3',
        region: S3_REGION,
        method: 'PUT',
        host: new URL(origin).host,
        path: `${path}?X-Amz-Date=${date}&X-Amz-Expires=${lifetimeS}`,
        headers: { ...headers },
        signQuery: true,
      },
      { accessKeyId: id, secretAccessKey: key },
    );
    return `${origin}${request.path}`;
  };

/**
 * Signs with Google's client, which needs no connection for signing. The client refuses to sign a URL that has expired.
 */
export const googleSigner = ({ id, key }: Account): Signer => {
  // Replaces Google's authentication library, which warns if a key is passed to the library.
  const authClient = {
    sign: async (text: string) => createSign('RSA-SHA256').update(text).sign(key, 'base64'),
    getCredentials: async () => ({ client_email: id }),
  };
  const client = new Storage({ projectId: 'sandbox' });
  client.authClient = authClient as never;
  return async ({ origin, path, atMs, lifetimeS, headers = {} }) => {
    const [bucket = '', ...name] = path.slice(1).split('/').map(decodeURIComponent);
    const [url] = await client
      .bucket(bucket)
      .file(name.join('/'))
      .getSignedUrl({
        version: 'v4',
        action: 'write',
        host: new URL(origin),
        accessibleAt: atMs,
        expires: atMs + lifetimeS * 1000,
        extensionHeaders: { ...headers },
      });
    return url;
  };
};
