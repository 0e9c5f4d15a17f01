/**
 * The draft's worker, which reports on the channel DRAFT_CHANNEL that it has started, and responds to nothing until it
 * gets a message there.
 */
const channel = new BroadcastChannel(process.env.DRAFT_CHANNEL ?? '');
const heard = new Promise((resolve) => {
  channel.onmessage = resolve;
});
channel.postMessage('started');
await heard;
channel.close();
await import('../../../src/main/core/drafts/draft-worker.ts');
