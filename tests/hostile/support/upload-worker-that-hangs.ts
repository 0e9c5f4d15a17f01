/** Replaces uploads/engine/engine-worker.ts: the engine, with an `open` that blocks a thread of the pool forever. */
import { open } from 'node:fs/promises';

void open(String(process.env.PIPE_WITHOUT_WRITER), 'r');
await import('../../../src/main/uploads/engine/engine-worker.ts');
