/** The upload engine's thread, in which waits between attempts are always the shortest: nothing. */
Math.random = () => 0;
await import('../../../src/main/uploads/engine/engine-worker.ts');
