/**
 * Opens the connections of all pools. Additional trusted certificates would be added here. A certificate that is not
 * accepted ends the connection before a byte is sent; this cannot be bypassed.
 */
import { TLSSocket } from 'node:tls';
import { buildConnector } from 'undici';

const CONNECT_MS = 10_000;

export type Trust = {
  /** Certificates of authorities (PEM) that replace those of Node. */
  readonly ca?: readonly string[] | undefined;
};

/** Connects over TCP or TLS. A TLS error also has `issuer`: the issuer of the server's certificate. */
export const createConnector = ({ ca }: Trust = {}): buildConnector.connector => {
  const connect = buildConnector({ timeout: CONNECT_MS, allowH2: false, ...(ca && { ca: [...ca] }) });
  return (options, callback) => {
    let issuer: string | undefined;
    // undici returns the socket, although its types do not say so.
    const socket: unknown = connect(options, (...[error, connected]) => {
      if (error) callback(issuer === undefined ? error : Object.assign(error, { issuer }), null);
      else callback(null, connected);
    });
    // Runs before Node's own listener, which checks the certificate and closes the connection if it is wrong.
    if (!(socket instanceof TLSSocket)) return;
    socket.prependListener('secure', () => {
      issuer = issuerOf(socket);
    });
  };
};

/** The authority's name in the certificate; undefined if it is empty or has several lines. */
const issuerOf = (socket: TLSSocket): string | undefined => {
  const { issuer } = socket.getPeerCertificate();
  const name = [issuer?.O ?? issuer?.CN].flat().join(', ');
  return (
    name
      .replaceAll(/[\p{C}\s]+/gu, ' ')
      .trim()
      .slice(0, 100) || undefined
  );
};
