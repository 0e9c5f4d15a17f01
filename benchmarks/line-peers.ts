/**
 * Finds the number of concurrent requests with which a peer is fastest on a line, for `best` in `support/offices.ts`.
 * Prints the seconds for each number.
 *
 *     node benchmarks/line-peers.ts NAME [SHARE_OF_FILES [NUMBER]...]
 */
import { createContenders } from './support/contenders.ts';
import { OFFICES, type Office, type OfficeName, writeFolder } from './support/offices.ts';
import { inDirectory, withLine } from './support/rig.ts';

const [wanted, share = '1', ...given] = process.argv.slice(2);
const numbers = given.length > 0 ? given.map(Number) : [4, 8, 16, 32, 64, 128, 256];
const name = Object.keys(OFFICES).find((known): known is OfficeName => known === wanted);
if (name === undefined) throw new Error(`one is needed: ${Object.keys(OFFICES).join(', ')}`);
const office: Office = OFFICES[name];

await inDirectory(async (dir) => {
  const { root, files, sizeBytes } = writeFolder(dir, office, Number(share));
  await withLine(dir, office, async ({ service, storage }) => {
    for (const parallel of numbers.filter((number) => number <= files.length)) {
      const { rclone, bareLoop } = createContenders({ dir, root, files, sizeBytes, parallel }, service, storage);
      const [rcloneSeconds, loopSeconds] = [await rclone.run(), await bareLoop.run()];
      process.stdout.write(
        `${parallel}: rclone ${rcloneSeconds.toFixed(2)} s, bare loop ${loopSeconds.toFixed(2)} s\n`,
      );
    }
  });
});
