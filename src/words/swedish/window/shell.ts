export { shell } from '../../english/window/shell.ts';
