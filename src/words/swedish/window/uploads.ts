export { uploads } from '../../english/window/uploads.ts';
