/** The app in an ordinary browser, for development and for machines without Electron. Never packaged. */
import { runPreview } from './run-preview.ts';

await runPreview(process.argv.slice(2));
