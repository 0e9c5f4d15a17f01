/**
 * How a connection is made, for all pools of the app: the place where further roots of trust go in. A certificate that is
 * not accepted ends the connection before a byte is sent, and there is no way round that.
 */
import { TLSSocket } from 'node:tls';
import { buildConnector } from 'undici';

const CONNECT_MS = 10_000;

export type Trust = {
  /** Certificates of authorities (PEM) in the place of those that come with Node. */
  readonly ca?: readonly string[] | undefined;
};

/** Connects over TCP or TLS. An error of TLS also has `issuer`: who issued the certificate that was shown. */
export const createConnector = ({ ca }: Trust = {}): buildConnector.connector => {
  const connect = buildConnector({ timeout: CONNECT_MS, allowH2: false, ...(ca && { ca: [...ca] }) });
  return (options, callback) => {
    let issuer: string | undefined;
    // undici answers the socket, though its types do not say so.
    const socket: unknown = connect(options, (...[error, connected]) => {
      if (error) callback(issuer === undefined ? error : Object.assign(error, { issuer }), null);
      else callback(null, connected);
    });
    // Before Node's own listener, which judges the certificate and takes the connection down where it is wrong.
    if (!(socket instanceof TLSSocket)) return;
    socket.prependListener('secure', () => {
      issuer = issuerOf(socket);
    });
  };
};

/** The authority as its own certificate names it; a name of many lines, or none, is no help to anyone. */
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
