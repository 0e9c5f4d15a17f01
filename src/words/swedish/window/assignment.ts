export { assignment } from '../../english/window/assignment.ts';
