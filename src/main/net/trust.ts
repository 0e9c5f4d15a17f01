import tls, { createSecureContext, type SecureContext } from 'node:tls';
import { attempt } from 'es-toolkit/util/attempt';
import { DeskError } from '../../contract/errors.ts';
import { readBounded } from '../data/files.ts';
import type { Environment } from './proxy.ts';

/**
 * Resolves to the TLS context with the trusted certificate authorities. The first call creates the context. Errors:
 * `network/ca-file`.
 */
export type Trust = () => Promise<SecureContext>;

/** The minimum TLS version, set explicitly so that no option of Node lowers it. */
export const LEAST_TLS = 'TLSv1.2';

const UNCHECKED_TLS = 'NODE_TLS_REJECT_UNAUTHORIZED';

/** Whether `environment` tells Node to skip certificate checks. The app always makes them (connector.ts). */
export const isUncheckedTls = (environment: Environment): boolean => environment[UNCHECKED_TLS] === '0';

/**
 * Removes NODE_TLS_REJECT_UNAUTHORIZED from this process, so that no library, and no worker that starts later, skips
 * the checks.
 */
export const ignoreUncheckedTls = (): void => {
  delete process.env[UNCHECKED_TLS];
};

export type TrustFiles = {
  /** The PEM file that a setting or the policy names. The file must exist. */
  readonly caFile?: string | undefined;
  /** The file that NODE_EXTRA_CA_CERTS names. As in Node, a file that cannot be used is ignored. */
  readonly extraFile?: string | undefined;
};

/** Creates the trust in the authorities of Node and of `files`, and of the system if the runtime can read them. */
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
    // After an error, the next connection reads the files again, because they may have been corrected.
    context.catch(() => {
      context = undefined;
    });
    return context;
  };
};

/**
 * Returns the default authorities of the runtime or those of the system, as `which` says. Older runtimes have only the
 * default ones, which are bundled.
 */
const builtIn = (which: 'default' | 'system'): readonly string[] => {
  // Older runtimes lack the function, although its type does not say so.
  const get: typeof tls.getCACertificates | undefined = tls.getCACertificates;
  if (get === undefined) return which === 'default' ? tls.rootCertificates : [];
  return attempt(() => get(which))[1] ?? [];
};

/** The maximum size of a file of certificate authorities. A file of all public authorities is far smaller. */
const MOST_BYTES = 4 * 1024 * 1024;

/**
 * Reads a PEM file of certificate authorities.
 * @throws DeskError `network/ca-file`, details `path` and `reason`: `missing`, `unreadable` or `no-certificate`
 */
export const readAuthorities = async (path: string): Promise<string> => {
  const bytes = await readBounded(path, MOST_BYTES).catch((cause: unknown) => {
    throw caFileError(path, 'unreadable', cause);
  });
  if (!bytes) throw caFileError(path, 'missing');
  const text = bytes.toString();
  try {
    if (!/-----BEGIN (TRUSTED |X509 )?CERTIFICATE-----/.test(text)) throw new Error('no certificate in it');
    createSecureContext({ ca: text });
  } catch (cause) {
    throw caFileError(path, 'no-certificate', cause);
  }
  return text;
};

const caFileError = (path: string, reason: 'missing' | 'unreadable' | 'no-certificate', cause?: unknown): DeskError =>
  new DeskError('network/ca-file', 'the file of certificate authorities cannot be used', {
    details: { path, reason },
    cause,
  });
