/** The desktop app. */
import { runDesktop } from './run-desktop.ts';

runDesktop();
