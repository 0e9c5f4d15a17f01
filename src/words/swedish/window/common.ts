export { common } from '../../english/window/common.ts';
