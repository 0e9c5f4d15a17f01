export { offline } from '../../english/window/offline.ts';
