export { overview } from '../../english/window/overview.ts';
