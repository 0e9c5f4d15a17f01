import { createProxyPasswords } from '../proxy-passwords.ts';
import { createRoutes, type Routes, type RoutesOptions } from '../route.ts';

/** Routes without passwords; without options, every host directly. */
export const testRoutes = (options: Partial<RoutesOptions> = {}): Routes =>
  createRoutes({
    settings: () => ({ mode: 'none', exceptions: [] }),
    environment: {},
    passwords: createProxyPasswords({ keychain: undefined, onWanted: () => {} }),
    ...options,
  });
