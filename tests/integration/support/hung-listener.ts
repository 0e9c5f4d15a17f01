/** A listener on ::1 that never accepts connections: once its queue is full, connections to it hang. */
import { createServer } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

createServer().listen({ host: '::1', port: workerData, backlog: 1 }, () => {
  parentPort?.postMessage('listening');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});
