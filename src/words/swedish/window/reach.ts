export { reach } from '../../english/window/reach.ts';
