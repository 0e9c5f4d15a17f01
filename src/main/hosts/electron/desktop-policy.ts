import { readJson } from '../../settings/policy/json-policy.ts';
import type { Policy } from '../../settings/policy/policy.ts';
import { parsePolicy } from '../../settings/policy/policy-error.ts';
import { readPolicy, readPolicyText } from '../../settings/policy/read-policy.ts';

declare global {
  interface ImportMetaEnv {
    /** Set by `scripts/build.mjs --release`. */
    readonly MAIN_VITE_RELEASE?: string;
  }
  interface ImportMeta {
    readonly env: ImportMetaEnv;
  }
}

/**
 * The policy of this machine. Tests give a file of their own; a release is built without the way to do so, because no
 * variable of a person may replace the policy. Errors: `policy/…`.
 */
export const readDesktopPolicy = async (): Promise<Policy> => {
  const file = import.meta.env.MAIN_VITE_RELEASE ? undefined : process.env.INSPECTION_DESK_TEST_POLICY;
  return file === undefined ? readPolicy() : parsePolicy(readJson(file, readPolicyText(file) ?? ''));
};
