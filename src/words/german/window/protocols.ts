export { protocols } from '../../english/window/protocols.ts';
