/** Simulates networks of offices and hotels. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { startConnectProxy, type TestProxy } from '../../../src/main/net/testing/proxies.ts';
import { portOf } from '../../../src/main/net/urls.ts';

/** Closes the proxy when the test has ended. */
export const use = async (starting: Promise<TestProxy>): Promise<TestProxy> => {
  const proxy = await starting;
  onTestFinished(proxy.close);
  return proxy;
};

/** The settings for a manual proxy, which is also used for this machine. */
export const byHand = (proxy: string) => ({
  proxy: { mode: 'manual' as const, address: `http://${proxy}`, exceptions: ['<-loopback>'] },
});

export const writeSettings = (home: string, settings: object): void =>
  writeFileSync(join(home, 'settings.json'), JSON.stringify(settings));

type GuestNetwork = TestProxy & {
  /** Makes every request get the network's sign-in page, until `signIn` is called. */
  readonly expire: () => void;
  readonly signIn: () => void;
  /** The methods of the requests that got the page. */
  readonly pages: readonly string[];
};

/** Starts a network with a proxy, which at first connects to the requested hosts. */
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
