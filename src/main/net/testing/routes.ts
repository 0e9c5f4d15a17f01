import { createProxyPasswords } from '../proxy-passwords.ts';
import { createRoutes } from '../route.ts';

/** Routes without passwords; without options, every host directly. */
export const testRoutes = (options: Partial<Parameters<typeof createRoutes>[0]> = {}) =>
  createRoutes({
    settings: () => ({ mode: 'none', exceptions: [] }),
    environment: {},
    passwords: createProxyPasswords({ keychain: undefined, onWanted: () => {} }),
    ...options,
  });
