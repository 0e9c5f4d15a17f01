/** Bundles the workers and programs that the tests start, once for all test files. */
import { bundleCli } from '../../../scripts/bundle-cli.mjs';

export const setup = async (): Promise<void> => {
  process.env.INSPECTION_DESK_TEST_BUNDLE ??= await bundleCli();
};
