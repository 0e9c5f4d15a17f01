import { Link } from '@fluentui/react-components';
import { addressOf } from '../../domain/address.ts';
import { useProtocol } from '../../queries/protocols.ts';
import { useApp } from '../../state/context.tsx';

/** Leads to the protocol that an assignment belongs to; its id as long as the protocol itself is not known. */
export const ProtocolLink = ({ id }: { readonly id: string }) => {
  const open = useApp((state) => state.open);
  const { value: protocol } = useProtocol(id);
  return protocol === undefined ? (
    id
  ) : (
    <Link as="button" inline onClick={() => open({ name: 'protocol', protocol })}>
      {addressOf(protocol) || id}
    </Link>
  );
};
