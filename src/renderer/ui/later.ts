import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/** A component whose code is loaded when it is first shown. */
export const later = <P>(load: () => Promise<ComponentType<P>>): LazyExoticComponent<ComponentType<P>> =>
  lazy(async () => ({ default: await load() }));
