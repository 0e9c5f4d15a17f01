import { Link, type LinkProps } from '@fluentui/react-components';
import { type Place, useApp } from '../state/store.tsx';

type OpenLinkProps = Pick<LinkProps, 'children' | 'className' | 'inline' | 'title'> & { readonly place: Place };

/**
 * A link that opens a place. It is not in actions.tsx, because the first screens load that file and should not load
 * Fluent's link.
 */
export const OpenLink = ({ place, ...look }: OpenLinkProps) => {
  const open = useApp((state) => state.open);
  return <Link as="button" {...look} onClick={() => open(place)} />;
};
