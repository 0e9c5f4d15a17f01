/** Bundles what the tests start as threads and processes, once for all test files. */
import { bundleCli } from '../../../scripts/bundle-cli.mjs';

export const setup = async (): Promise<void> => {
  process.env.INSPECTION_DESK_TEST_BUNDLE ??= await bundleCli();
};
