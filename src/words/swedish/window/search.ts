export { search } from '../../english/window/search.ts';
