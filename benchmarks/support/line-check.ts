/** Checks that an emulated line has the speed and the round trip of its specification. */
import { Agent, request } from 'undici';
import { type LineSpec, startLine } from './line.ts';
import { type Figure, seconds } from './measure.ts';
import { startWatchingStorage } from './watching-storage.ts';

const REQUESTS = 100;
/** The time that the PUT occupies the line. */
const PUT_SECONDS = 2;
const OFF_PERCENT = 5;

/**
 * Measures by how many percent one PUT over a new connection, and then 100 requests one after another, deviate from the
 * specification. A request is expected to take one round trip, plus its time without the line, which is measured first.
 */
export const checkLine = async (spec: LineSpec): Promise<readonly Figure[]> => {
  const server = await startWatchingStorage();
  const line = await startLine({ ...spec, jitterMs: 0 });
  const dispatcher = new Agent({ connections: 1 });
  try {
    const near = `http://127.0.0.1:${await line.to({ port: Number(new URL(server.baseUrl).port) })}`;
    const put = async (url: string, bytes: number): Promise<void> => {
      const { body } = await request(url, { dispatcher, method: 'PUT', body: Buffer.alloc(bytes) });
      await body.dump();
    };
    const inTurn = (url: string) =>
      seconds(async () => {
        for (let index = 0; index < REQUESTS; index += 1) await put(url, 0);
      });
    const roundTripSeconds = spec.roundTripMs / 1000;
    const putSeconds = await seconds(() => put(near, (spec.bitsPerSecond / 8) * PUT_SECONDS));
    await inTurn(server.baseUrl);
    const withoutLine = await inTurn(server.baseUrl);
    const withLine = await inTurn(near);
    return [
      offBy('the line: one PUT', putSeconds, PUT_SECONDS + 2 * roundTripSeconds),
      offBy(`the line: ${REQUESTS} requests in turn`, withLine, REQUESTS * roundTripSeconds + withoutLine),
    ];
  } finally {
    await dispatcher.destroy();
    await line.close();
    server.close();
  }
};

const offBy = (what: string, measured: number, expected: number): Figure => ({
  what: `${what}, off what its figures say`,
  value: Math.abs(measured / expected - 1) * 100,
  unit: '%',
  atMost: OFF_PERCENT,
});
