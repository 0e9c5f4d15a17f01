import { FluentProvider, webLightTheme } from '@fluentui/react-components';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { InTestUi } from '../ui/testing/test-ui.ts';
import type { SomeHandlers } from './fake-bridge.ts';
import { createTestWindow } from './render-query.tsx';

/**
 * Renders `page` with everything that pages need, in a window whose calls are handled by `handlers`. See
 * `createTestWindow`.
 */
export const renderPage = async (page: ReactNode, handlers: SomeHandlers = {}) => {
  const window = await createTestWindow(handlers);
  const Window = window.wrapper;
  const wrapper = ({ children }: { readonly children: ReactNode }) => (
    <Window>
      <FluentProvider theme={webLightTheme}>
        <InTestUi>{children}</InTestUi>
      </FluentProvider>
    </Window>
  );
  return { ...window, ...render(page, { wrapper }) };
};
