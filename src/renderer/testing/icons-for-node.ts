/**
 * Loads Fluent's icons as CommonJS: Node finds none of the files that their ES modules import, because the imports have
 * no extensions. Bundlers find them.
 */
import { registerHooks } from 'node:module';

registerHooks({
  resolve: (specifier, context, next) => {
    const resolved = next(specifier, context);
    return resolved.url.includes('/@fluentui/react-icons/lib/')
      ? { ...resolved, url: resolved.url.replace('/react-icons/lib/', '/react-icons/lib-cjs/'), format: 'commonjs' }
      : resolved;
  },
});
