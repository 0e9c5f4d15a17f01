/** In the place of uploads/engine/engine-worker.ts: the engine, with a file open for good in the pool of threads. */
import { open } from 'node:fs/promises';

void open(String(process.env.PIPE_WITHOUT_WRITER), 'r');
await import('../../../src/main/uploads/engine/engine-worker.ts');
