export { shortcuts } from '../../english/window/shortcuts.ts';
