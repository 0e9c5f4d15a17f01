import { cleanup, renderHook } from '@testing-library/react';
import { onTestFinished } from 'vitest';
import { openWindow } from '../queries/query.tsx';
import { createFakeBridge, emptySnapshot, type SomeHandlers } from './fake-bridge.ts';

/**
 * Creates the window without its pages. `handlers` handle its calls. `wrapper` wraps a page in the providers of the
 * window. `render` renders a hook within them; `rerender` then replaces the hook's argument `props`. The window is
 * closed at the end of the test, and later responses are ignored.
 */
export const createTestWindow = async (handlers: SomeHandlers) => {
  const fake = createFakeBridge({ ...handlers, app: { snapshot: () => emptySnapshot, ...handlers.app } });
  const { Provider: wrapper, ...window } = openWindow(fake.bridge);
  onTestFinished(() => {
    cleanup();
    window.client.clear();
  });
  await window.store.getState().synchronise();
  return {
    ...fake,
    ...window,
    wrapper,
    render: <P, T>(hook: (props: P) => T, props: NoInfer<P>) => renderHook(hook, { wrapper, initialProps: props }),
  };
};
