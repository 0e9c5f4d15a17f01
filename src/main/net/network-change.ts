/** Notices that the machine has joined or left a network: its addresses are others. */
import { networkInterfaces } from 'node:os';

const EVERY_MS = 5_000;

const ownAddresses = (): string =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .flatMap(({ internal, cidr }) => (internal || cidr === null ? [] : cidr))
    .sort()
    .join(' ');

/** Calls `onChange` whenever the machine's addresses have changed, until the returned function is called. */
export const watchForNetworkChange = (onChange: () => void, addresses: () => string = ownAddresses): (() => void) => {
  let before = addresses();
  const look = (): void => {
    const now = addresses();
    if (now === before) return;
    before = now;
    onChange();
  };
  const timer = setInterval(look, EVERY_MS).unref();
  return () => clearInterval(timer);
};
