export { errors } from '../english/errors.ts';
