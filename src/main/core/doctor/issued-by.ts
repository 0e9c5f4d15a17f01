/** Whose authority a certificate has. */
import { X509Certificate } from 'node:crypto';

/**
 * Whether one of `authorities` (PEM) has signed `leaf`, or a certificate of the chain that its server sent with it. As for a
 * connection, the first one that is trusted counts: servers also send older authorities that signed the newer ones. A name
 * alone proves nothing.
 */
export const isIssuedBy = (leaf: X509Certificate, authorities: readonly string[]): boolean => {
  const known = authorities.map((pem) => new X509Certificate(pem));
  for (let present: X509Certificate | undefined = leaf; present; present = present.issuerCertificate) {
    const { issuer } = present;
    for (const authority of known) if (authority.subject === issuer && present.verify(authority.publicKey)) return true;
    if (issuer === present.subject) return false;
  }
  return false;
};
