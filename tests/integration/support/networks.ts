/** Networks of offices and hotels, for the tests of a file. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { startConnectProxy, type TestProxy } from '../../../src/main/net/testing/proxies.ts';
import { portOf } from '../../../src/main/net/urls.ts';

/** The proxy, until the test has ended. */
export const use = async (starting: Promise<TestProxy>): Promise<TestProxy> => {
  const proxy = await starting;
  onTestFinished(proxy.close);
  return proxy;
};

/** A proxy set by hand, for this machine, too. */
export const byHand = (proxy: string) => ({
  proxy: { mode: 'manual' as const, address: `http://${proxy}`, exceptions: ['<-loopback>'] },
});

export const writeSettings = (home: string, settings: object): void =>
  writeFileSync(join(home, 'settings.json'), JSON.stringify(settings));

type GuestNetwork = TestProxy & {
  /** From now on, every request gets the network's own sign-in page. */
  readonly expire: () => void;
  readonly signIn: () => void;
  /** The requests that got the page, by method. */
  readonly pages: readonly string[];
};

/** A network, by way of a proxy, that at first leads where it should. */
export const startGuestNetwork = async (): Promise<GuestNetwork> => {
  const pages: string[] = [];
  const portal = createServer((incoming, outgoing) => {
    incoming.resume().once('end', () => {
      pages.push(incoming.method ?? '');
      outgoing.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      outgoing.end('<!DOCTYPE html>\n<html><title>Welcome, guest</title>');
    });
  });
  await once(portal.listen(0, '127.0.0.1'), 'listening');
  const port = portOf(portal);
  onTestFinished(() => {
    portal.close();
    portal.closeAllConnections();
  });
  let isPortal = false;
  const proxy = await use(startConnectProxy({ leadsTo: () => (isPortal ? { host: '127.0.0.1', port } : undefined) }));
  const lead = (toPortal: boolean) => (): void => {
    isPortal = toPortal;
    proxy.drop();
  };
  return { ...proxy, expire: lead(true), signIn: lead(false), pages };
};
