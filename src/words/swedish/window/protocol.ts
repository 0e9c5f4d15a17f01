export { protocol } from '../../english/window/protocol.ts';
