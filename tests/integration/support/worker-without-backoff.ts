Math.random = () => 0;
await import('../../../src/main/uploads/engine/engine-worker.ts');
