export { amounts } from '../../english/window/amounts.ts';
