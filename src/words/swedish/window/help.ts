export { help } from '../../english/window/help.ts';
