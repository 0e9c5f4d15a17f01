export { signIn } from '../../english/window/sign-in.ts';
