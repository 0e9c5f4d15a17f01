export { licences } from '../../english/window/licences.ts';
