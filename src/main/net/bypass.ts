/** Which hosts are reached without a proxy, by a list as in NO_PROXY or in the proxy settings of Windows and Chromium. */
import { BlockList, isIP } from 'node:net';
import { isLoopback } from '../../contract/connection.ts';

const portOf = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '443' : '80');
const bare = (host: string): string => host.replace(/^\[|\]$/g, '');
const family = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Whether the address `host` is in the network `range`, such as `10.0.0.0/8`. */
const isWithin = (host: string, range: string): boolean => {
  const [address = '', bits = ''] = range.split('/');
  const network = bare(address);
  const prefix = Number(bits);
  if (isIP(network) === 0 || isIP(host) === 0 || !/^\d+$/.test(bits) || prefix > (isIP(network) === 6 ? 128 : 32)) {
    return false;
  }
  const list = new BlockList();
  list.addSubnet(network, prefix, family(network));
  return list.check(host, family(host));
};

const matches = (url: URL, entry: string): boolean => {
  const host = bare(url.hostname);
  if (entry === '*') return true;
  if (entry === '<local>') return !host.includes('.') && isIP(host) === 0;
  if (entry.includes('/')) return isWithin(host, entry);
  const [, name = entry, port] = /^(\[.*\]|[^:]*):(\d+)$/.exec(entry) ?? [];
  if (port !== undefined && port !== portOf(url)) return false;
  const suffix = bare(name).replace(/^\*?\./, '');
  return suffix !== '' && (host === suffix || (host.endsWith(`.${suffix}`) && isIP(host) === 0));
};

/**
 * Whether `url` is reached without a proxy. An entry is a host, which includes its subdomains (`example.com`,
 * `.example.com` or `*.example.com`), an address, a network (`10.0.0.0/8`), one of these hosts with a port, `*` for all, or
 * `<local>` for names without a dot.
 */
export const isExcepted = (url: URL, entries: readonly string[]): boolean =>
  entries.some((entry) => matches(url, entry.trim().toLowerCase()));

/** As `isExcepted` for a proxy set by hand: this machine is excepted, too, unless `<-loopback>` is among the entries. */
export const isExceptedByHand = (url: URL, entries: readonly string[]): boolean =>
  (isLoopback(url) && !entries.includes('<-loopback>')) || isExcepted(url, entries);
