/**
 * The entry of the thread that reads small files. Answers each list of files with a list of contents in the same order,
 * whose bytes are handed over, not copied. It imports no module with schemas or errors, so that it starts quickly.
 */
import { parentPort } from 'node:worker_threads';
import { type ReadRequest, readAtOnce } from './read-at-once.ts';

if (!parentPort) throw new Error('this file runs as a worker thread');
const port = parentPort;
port.on('message', (files: readonly ReadRequest[]) => {
  const contents = files.map((file) => readAtOnce(file));
  port.postMessage(
    contents,
    contents.flatMap((content) => (content ? [content.whole.buffer] : [])),
  );
});
