export { connection } from '../../english/window/connection.ts';
