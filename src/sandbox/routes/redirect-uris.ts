/**
 * Whether a redirect_uri is registered. It is when it equals an entry; an entry with a loopback address stands for
 * every port (RFC 8252 section 7.3), and one that ends in `/*` for every path of its origin.
 */
export const isRegisteredRedirect = (registered: readonly string[], redirectUri: string): boolean => {
  if (!URL.canParse(redirectUri)) return false;
  const wanted = new URL(redirectUri);
  if (redirectUri.includes('#') || wanted.username !== '' || wanted.password !== '') return false;
  return registered.some((entry) => entry === redirectUri || matchesPattern(new URL(entry), wanted));
};

const matchesPattern = (entry: URL, wanted: URL): boolean => {
  const isLoopback = entry.protocol === 'http:' && ['127.0.0.1', '[::1]'].includes(entry.hostname);
  const sameOrigin =
    entry.protocol === wanted.protocol &&
    entry.hostname === wanted.hostname &&
    (isLoopback || entry.port === wanted.port);
  const anyPath = entry.pathname.endsWith('/*') && wanted.pathname.startsWith(entry.pathname.slice(0, -1));
  return (
    sameOrigin && (anyPath || (isLoopback && entry.pathname === wanted.pathname && entry.search === wanted.search))
  );
};
