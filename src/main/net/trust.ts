/** The trusted certificate authorities: those that the app brings, the system's, and the office's own. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import tls, { createSecureContext, type SecureContext } from 'node:tls';
import { codeOf, DeskError } from '../../contract/errors.ts';
import type { Environment } from './proxy.ts';

/** Everything that a TLS connection trusts, made once. Errors: `network/ca-file`. */
export type Trust = () => Promise<SecureContext>;

/** Said wherever TLS begins, so that no option of Node's lowers it. */
export const LEAST_TLS = 'TLSv1.2';

const UNCHECKED_TLS = 'NODE_TLS_REJECT_UNAUTHORIZED';

/** Whether `environment` asks Node not to check certificates. The app always checks them (connector.ts). */
export const isUncheckedTls = (environment: Environment): boolean => environment[UNCHECKED_TLS] === '0';

/** Takes that variable out of this process, so that no library and no worker started later follows it. */
export const ignoreUncheckedTls = (): void => {
  delete process.env[UNCHECKED_TLS];
};

export type TrustFiles = {
  /** A PEM file by setting or policy. It has to be there. */
  readonly caFile?: string | undefined;
  /** NODE_EXTRA_CA_CERTS, which only Node itself reads at its start; as there, a file that cannot be read is passed over. */
  readonly extraFile?: string | undefined;
};

/** Trust in the authorities of Node, of the system where the runtime can read them, and of the files. */
export const createTrust = (files: TrustFiles): Trust => {
  let context: Promise<SecureContext> | undefined;
  const make = async (): Promise<SecureContext> => {
    const office = files.caFile === undefined ? [] : [await readAuthorities(files.caFile)];
    const extra = files.extraFile === undefined ? [] : [await readAuthorities(files.extraFile).catch(() => '')];
    const ca = [...builtIn('default'), ...builtIn('system'), ...extra, ...office];
    return createSecureContext({ ca, minVersion: LEAST_TLS });
  };
  return () => {
    context ??= make();
    // A file that is put right helps the next connection.
    context.catch(() => {
      context = undefined;
    });
    return context;
  };
};

/** The runtime's authorities. Older ones only know those that they bring. */
const builtIn = (which: 'default' | 'system'): readonly string[] => {
  // Its types say that it is always there.
  const get: typeof tls.getCACertificates | undefined = tls.getCACertificates;
  if (get === undefined) return which === 'default' ? tls.rootCertificates : [];
  try {
    return get(which);
  } catch {
    return [];
  }
};

/** @throws DeskError `network/ca-file`, details `path` and `reason`: `missing`, `unreadable` or `no-certificate` */
export const readAuthorities = async (path: string): Promise<string> => {
  const text = await readRegularFile(path).catch((cause: unknown) => {
    throw caFileError(path, codeOf(cause) === 'ENOENT' ? 'missing' : 'unreadable', cause);
  });
  try {
    if (!/-----BEGIN (TRUSTED |X509 )?CERTIFICATE-----/.test(text)) throw new Error('no certificate in it');
    createSecureContext({ ca: text });
  } catch (cause) {
    throw caFileError(path, 'no-certificate', cause);
  }
  return text;
};

/** Far more than all authorities of the world. */
const MOST_BYTES = 4 * 1024 * 1024;

/** A pipe is not waited for, and no device read. */
const readRegularFile = async (path: string): Promise<string> => {
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const found = await handle.stat();
    if (!found.isFile() || found.size > MOST_BYTES) throw new Error('not a regular file, or too large');
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
};

const caFileError = (path: string, reason: 'missing' | 'unreadable' | 'no-certificate', cause: unknown): DeskError =>
  new DeskError('network/ca-file', 'the file of certificate authorities cannot be used', {
    details: { path, reason },
    cause,
  });
