import { createProxyPasswords } from '../proxy-passwords.ts';
import { createRoutes } from '../route.ts';

/** Creates routes without stored passwords. By default, every host is reached directly. */
export const testRoutes = (options: Partial<Parameters<typeof createRoutes>[0]> = {}) =>
  createRoutes({
    settings: () => ({ mode: 'none', exceptions: [] }),
    environment: {},
    passwords: createProxyPasswords({ keychain: undefined, onWanted: () => {} }),
    ...options,
  });
