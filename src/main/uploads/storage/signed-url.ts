/** Checks signed URLs before files are sent to them: they come from the service, and are not trusted. */
import { BlockList, isIP } from 'node:net';
import { isLoopback } from '../../../contract/connection.ts';
import { DeskError } from '../../../contract/errors.ts';

/** The rules for signed URLs. `isLocal`: the service is on this machine, so its storage may be here, too. */
export type SignedUrlRules = { readonly isLocal: boolean };

/** The loopback and unspecified addresses, which reach this machine. */
const thisMachine = new BlockList();
thisMachine.addSubnet('0.0.0.0', 8, 'ipv4');
thisMachine.addSubnet('127.0.0.0', 8, 'ipv4');
thisMachine.addAddress('::', 'ipv6');
thisMachine.addAddress('::1', 'ipv6');

/** Link-local (where clouds offer a machine's credentials), multicast and reserved addresses: never a storage. */
const noStorage = new BlockList();
noStorage.addSubnet('169.254.0.0', 16, 'ipv4');
noStorage.addSubnet('224.0.0.0', 3, 'ipv4');
noStorage.addSubnet('fe80::', 10, 'ipv6');
noStorage.addSubnet('ff00::', 8, 'ipv6');

/**
 * Parses a signed URL. Throws `upload/insecure-url` unless it uses https, without a user name or password, and its host
 * is neither this machine nor in `noStorage`. With `isLocal`, this machine is permitted, and http is permitted to its
 * loopback addresses. Names are not resolved: the host has to present a certificate for its name. The error names at
 * most the host, because a signed URL is a credential.
 */
export const signedUrl = (address: string, { isLocal }: SignedUrlRules): URL => {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isSecure =
    url !== undefined &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && isLocal && isLoopback(url))) &&
    url.username === '' &&
    url.password === '' &&
    !isIn(noStorage, url) &&
    (isLocal || !isOnThisMachine(url));
  if (isSecure) return url;
  throw new DeskError('upload/insecure-url', 'the signed URL is not secure', {
    details: url?.host ? { host: url.host } : {},
  });
};

/** Whether the host is an address in these ranges, even if it is written as `127.1` or mapped (`::ffff:127.0.0.1`). */
const isIn = (ranges: BlockList, { hostname }: URL): boolean => {
  const address = hostname.replace(/^\[|\]$/g, '');
  const version = isIP(address);
  return version !== 0 && ranges.check(address, version === 6 ? 'ipv6' : 'ipv4');
};

/** Whether the host is this machine. All names below `localhost` are loopback (RFC 6761, 6.3). */
const isOnThisMachine = (url: URL): boolean => isIn(thisMachine, url) || /(^|\.)localhost\.?$/.test(url.hostname);
