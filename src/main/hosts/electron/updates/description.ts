/** The description of a version (`latest.yml`), which comes from a server that may have been taken over. */
import { newError } from 'builder-util-runtime';
import { z } from 'zod';

/** At most this much is read of a description. Real ones have some hundred bytes, and their release notes. */
export const MOST_DESCRIPTION_BYTES = 1024 * 1024;

/**
 * An embedded block map is inflated by electron-updater without a limit. Without this size the file is downloaded whole, as
 * it is where the value is not valid.
 */
const BlockMapSize = z.int().min(1).max(262_144).optional().catch(undefined);

const File = z.object({
  url: z.string().max(4_096),
  sha512: z.string().max(200),
  size: z.int().min(0).optional(),
  blockMapSize: BlockMapSize,
  isAdminRightsRequired: z.boolean().optional(),
});

/** What electron-updater uses of a description; other fields are left out. */
const Description = z.object({
  version: z.string().max(100),
  files: z.array(File).min(1).max(20),
  releaseDate: z.string().max(100).optional(),
  releaseNotes: z.string().max(50_000).optional().catch(undefined),
  stagingPercentage: z.number().optional(),
  minimumSystemVersion: z.string().max(100).optional(),
});

/**
 * The description in `text`, as JSON, which is YAML as well. A description needs no anchors; aliases of them let a short text
 * stand for any length. Errors: `ERR_UPDATER_INVALID_UPDATE_INFO`.
 */
export const readDescription = async (text: string): Promise<string> => {
  const { CORE_SCHEMA, load } = await import('js-yaml');
  try {
    return JSON.stringify(Description.parse(load(text, { schema: CORE_SCHEMA, listener: refuseAnchors })));
  } catch (cause) {
    throw Object.assign(newError('the description of the version is not valid', 'ERR_UPDATER_INVALID_UPDATE_INFO'), {
      cause,
    });
  }
};

const refuseAnchors = (_: unknown, state: object): void => {
  if ('anchorMap' in state && Object.keys(Object(state.anchorMap)).length > 0) throw new Error('has an anchor');
};
