import { createRoutes, type Routes } from '../route.ts';

/** Every host directly. */
export const directRoutes = (): Routes =>
  createRoutes({ settings: () => ({ mode: 'none', exceptions: [] }), environment: {} });
