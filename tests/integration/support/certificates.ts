/** Creates certificates for a test, and a server on 127.0.0.1 that uses one. */
import { portOf } from '../../../src/main/net/urls.ts';
import 'reflect-metadata';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { TlsOptions } from 'node:tls';
import {
  BasicConstraintsExtension,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { onTestFinished } from 'vitest';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const dayMs = 24 * 3_600_000;

export type Shown = {
  /** The validity in days from now. Default: from yesterday to tomorrow. */
  readonly from?: number;
  readonly to?: number;
  /** Default: 127.0.0.1. */
  readonly address?: string;
};

type Authority = {
  /** The authority's certificate as PEM. */
  readonly ca: string;
  readonly sign: (shown?: Shown) => Promise<{ readonly cert: string; readonly key: string }>;
};

export const createAuthority = async (organisation: string): Promise<Authority> => {
  const name = `CN=Root, O=${organisation}`;
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const root: X509Certificate = await X509CertificateGenerator.createSelfSigned({
    name,
    keys,
    notBefore: new Date(Date.now() - 400 * dayMs),
    notAfter: new Date(Date.now() + 400 * dayMs),
    signingAlgorithm: algorithm,
    extensions: [new BasicConstraintsExtension(true, 1, true)],
  });
  let serial = 1;
  return {
    ca: root.toString('pem'),
    sign: async ({ from = -1, to = 1, address = '127.0.0.1' } = {}) => {
      const own = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
      serial += 1;
      const cert = await X509CertificateGenerator.create({
        serialNumber: serial.toString(16).padStart(2, '0'),
        subject: 'CN=inspection service',
        issuer: root.subject,
        notBefore: new Date(Date.now() + from * dayMs),
        notAfter: new Date(Date.now() + to * dayMs),
        publicKey: own.publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: algorithm,
        extensions: [new SubjectAlternativeNameExtension([{ type: 'ip', value: address }])],
      });
      const der = Buffer.from(await crypto.subtle.exportKey('pkcs8', own.privateKey)).toString('base64');
      return { cert: cert.toString('pem'), key: `-----BEGIN PRIVATE KEY-----\n${der}\n-----END PRIVATE KEY-----\n` };
    },
  };
};

/** TLS as on a server that has not been updated for years. */
export const outdatedTls: TlsOptions = { minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'ALL@SECLEVEL=0' };

/** Starts a server with the certificate. Resolves to its address and to the requests that it receives. */
export const startTlsServer = async (
  identity: { readonly cert: string; readonly key: string },
  options: TlsOptions = {},
) => {
  const requests: (string | undefined)[] = [];
  const server = createServer({ ...options, ...identity }, ({ url }, response) => {
    requests.push(url);
    response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `https://127.0.0.1:${portOf(server)}`, requests };
};
