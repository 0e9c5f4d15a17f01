/** Runs the command line, with one part of its host (`HANGING_PART`) from another module in this folder. */
import { runInProcess } from '../../../src/main/hosts/headless/run-cli.ts';
import { sourceParts } from '../../../src/main/hosts/shared/source-parts.ts';

const modules = { readWorker: './read-thread-that-hangs.ts', uploadWorker: './upload-worker-that-hangs.ts' } as const;
const part = process.env.HANGING_PART === 'readWorker' ? 'readWorker' : 'uploadWorker';
const parts = { ...sourceParts, [part]: new URL(modules[part], import.meta.url) };

process.exitCode = await runInProcess(process.argv.slice(2), parts);
