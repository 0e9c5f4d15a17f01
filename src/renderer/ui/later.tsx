import { type ComponentType, type JSX, lazy, Suspense } from 'react';

/**
 * A component whose code is loaded when it is first rendered. `Fallback` is rendered with its props until then; default:
 * nothing.
 */
export const later = <P extends object>(load: () => Promise<ComponentType<P>>, Fallback?: ComponentType<P>) => {
  const Loaded: ComponentType<P> = lazy(async () => ({ default: await load() }));
  return (props: P): JSX.Element => (
    <Suspense fallback={Fallback && <Fallback {...props} />}>
      <Loaded {...props} />
    </Suspense>
  );
};
