/** The proxy that environment variables name, read as curl reads them. */
import { isExcepted } from './bypass.ts';
import { parseProxy, type Route } from './proxy.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The variable `name`, in lower case before upper case, with the name under which it was found. */
const find = (environment: Environment, name: string): readonly [name: string, value: string] | undefined => {
  for (const spelt of [name, name.toUpperCase()]) {
    const value = environment[spelt]?.trim();
    if (value) return [spelt, value];
  }
  return undefined;
};

/**
 * The way to `url` by HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY; undefined if they name no proxy for it. Unlike the
 * proxies of the system, they apply to this machine as well.
 * @throws DeskError `network/proxy-address`, details `field`: the variable that holds no address
 */
export const environmentRoute = (url: URL, environment: Environment): Route | undefined => {
  const scheme = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const found = find(environment, scheme) ?? find(environment, 'all_proxy');
  if (!found) return undefined;
  const [name, address] = found;
  const [, exceptions = ''] = find(environment, 'no_proxy') ?? [];
  const source = `environment ${name}` as const;
  if (isExcepted(url, exceptions.split(/[\s,]+/))) return { hops: ['direct'], source };
  return { hops: [parseProxy(address, name)], source };
};
