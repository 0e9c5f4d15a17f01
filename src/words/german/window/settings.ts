export { settings } from '../../english/window/settings.ts';
