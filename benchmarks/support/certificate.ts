/** Creates a certificate for servers on 127.0.0.1, for one run. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from './programs.ts';

type Certificate = {
  /** The path of the certificate (PEM), for programs that have to trust it. */
  readonly file: string;
  readonly tls: { readonly key: string; readonly cert: string };
};

/** Creates a self-signed certificate in `dir`. */
export const makeCertificate = (dir: string): Certificate => {
  const [file, keyFile] = [join(dir, 'certificate.pem'), join(dir, 'key.pem')];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', keyFile];
  const names = ['-subj', '/CN=inspection service', '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync(findProgram('openssl'), ['req', '-x509', ...key, ...names, '-days', '2', '-out', file], {
    stdio: 'ignore',
  });
  return { file, tls: { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(file, 'utf8') } };
};
