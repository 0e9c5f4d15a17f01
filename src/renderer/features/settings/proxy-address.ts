/** The address of a proxy as a person types it, complete: `office:8080` is `http://office:8080`. Undefined if it is none. */
export const proxyAddress = (typed: string): string | undefined => {
  const text = typed.trim();
  const address = text.includes('://') ? text : `http://${text}`;
  if (!URL.canParse(address)) return undefined;
  const { protocol, hostname, username, password, pathname, search, hash } = new URL(address);
  const isKnown = ['http:', 'https:', 'socks5:'].includes(protocol) && hostname !== '';
  const isMore = username + password + search + hash !== '' || (pathname !== '' && pathname !== '/');
  return isKnown && !isMore ? address.replace(/\/$/, '') : undefined;
};

/** The entries of a list that a person typed: separated by commas, semicolons, spaces or lines. */
export const exceptionsIn = (typed: string): readonly string[] => [
  ...new Set(typed.split(/[\s,;]+/).filter((entry) => entry !== '')),
];
