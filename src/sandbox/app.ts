/** The sandbox's routes, with fault injection, request counts and error answers around them. */
import type { DatabaseSync } from 'node:sqlite';
import { Hono } from 'hono';
import { createFaultPlan } from './faults/fault-plan.ts';
import { createWatch } from './faults/watched.ts';
import type { SandboxEnv } from './http/environment.ts';
import { notFound, onError } from './http/problem.ts';
import { createStatsRecorder } from './http/stats.ts';
import type { SandboxSettings } from './options.ts';
import { authorizeRoutes } from './routes/authorize.ts';
import type { SignUpload } from './routes/changes.ts';
import { contractorRoutes } from './routes/contractor.ts';
import { controlRoutes } from './routes/control.ts';
import { storagePath, storageRoutes } from './routes/storage.ts';
import { tokenRoutes } from './routes/token.ts';
import { createRandom } from './sample/prng.ts';
import { createSampleData } from './sample/sample-data.ts';
import { loadIdentity } from './state/database.ts';
import { createSampleUsers } from './state/sample-users.ts';
import { createServiceState } from './state/service-state.ts';
import { signQuery } from './state/signed-url.ts';
import { dialectQuery } from './state/storage-dialect.ts';
import { createTokenStore } from './state/tokens.ts';
import { createUploadStore } from './state/uploads.ts';

/** The sandbox as one Hono app over an open database and objects folder, reached at `baseUrl`. */
export const createApp = (
  settings: SandboxSettings,
  place: {
    readonly baseUrl: string;
    readonly database: DatabaseSync;
    readonly objectsDir: string;
    readonly closing: AbortSignal;
  },
): Hono<SandboxEnv> => {
  const { clientIds, redirectUris, consent, pageSize, maxObjectBytes, signedUrlTtlS, storageBaseUrl } = settings;
  const { controlToken, storageDialect: dialect } = settings;
  const { baseUrl, database, objectsDir, closing } = place;
  let advancedMs = 0;
  const now = (): number => settings.clock() + advancedMs;

  const { secret, seed, protocols } = loadIdentity(database, settings);
  const sample = createSampleData(seed, protocols);
  const uploads = createUploadStore(database, objectsDir, now);
  const state = createServiceState(database, sample, uploads);
  const users = createSampleUsers();
  const tokens = createTokenStore(database, { ...settings, secret, now, subject: () => users.present().sub });

  const stats = createStatsRecorder();
  const faults = createFaultPlan(createRandom(seed, 'faults'));
  faults.add(settings.faults);
  const watch = createWatch(stats, faults, { now, revokeAccess: tokens.revokeAccess, closing });

  const storage = (storageBaseUrl ?? baseUrl).replace(/\/+$/, '');
  const signUpload: SignUpload = (assignmentId, fileName) => {
    const key = uploads.sign(assignmentId, fileName);
    const path = storagePath(key);
    const expiresAtMs = now() + signedUrlTtlS * 1000;
    const query = new URLSearchParams(dialectQuery(dialect, now(), expiresAtMs));
    const signed = signQuery(secret, 'PUT', path, expiresAtMs);
    return {
      AssignmentId: assignmentId,
      Key: key,
      Url: `${storage}${path}?${signed}${query.size > 0 ? `&${query}` : ''}`,
    };
  };
  const advanceClock = (byMs: number): void => {
    advancedMs += byMs;
  };

  return new Hono<SandboxEnv>()
    .route('/', authorizeRoutes({ watch, tokens, users, now, consent, clientIds, redirectUris }))
    .route('/', tokenRoutes({ watch, stats, tokens, clientIds }))
    .route('/', contractorRoutes({ watch, tokens, sample, state, signUpload, pageSize }))
    .route('/', storageRoutes({ watch, stats, uploads, secret, now, maxObjectBytes, dialect }))
    .route('/sandbox', controlRoutes({ controlToken, faults, stats, tokens, users, uploads, state, advanceClock }))
    .notFound(notFound)
    .onError(onError);
};
