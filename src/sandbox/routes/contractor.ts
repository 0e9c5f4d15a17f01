/** The eight operations, each for a caller with a valid access token. How errors look: http/problem.ts. */
import { type Handler, Hono, type MiddlewareHandler } from 'hono';
import type { Watch } from '../faults/watched.ts';
import { bearerToken } from '../http/bearer.ts';
import type { SandboxEnv } from '../http/environment.ts';
import { allowOnly, notFound, problem } from '../http/problem.ts';
import type { RouteName } from '../http/route-names.ts';
import type { SampleData } from '../sample/sample-data.ts';
import type { ServiceState } from '../state/service-state.ts';
import type { TokenStore } from '../state/tokens.ts';
import { changeHandlers, type SignUpload } from './changes.ts';
import { readPage } from './page-query.ts';

/** The operations' routes, mounted at the root. `signUpload` makes the Key and Url for a file. */
export const contractorRoutes = (dependencies: {
  readonly watch: Watch;
  readonly tokens: TokenStore;
  readonly sample: SampleData;
  readonly state: ServiceState;
  readonly signUpload: SignUpload;
  readonly pageSize: number;
}): Hono<SandboxEnv> => {
  const { watch, tokens, sample, state, signUpload, pageSize } = dependencies;
  const protocols = '/contractor/compiled-inspection-protocols';
  const assignment = '/contractor/assignments/:assignmentId';
  const changes = changeHandlers(state, signUpload);

  const listProtocols: Handler<SandboxEnv> = (c) => {
    const page = readPage(c.req.query('Page'), c.req.query('cursor'));
    if (page === undefined) return problem(c, 400, 'InvalidPage', 'Page is an integer from 1 up.');
    return c.json(sample.protocolPage(page, pageSize, c.req.query('Query') ?? ''));
  };

  const ofProtocol =
    (read: (protocolId: string) => object | undefined): Handler<SandboxEnv> =>
    (c) => {
      const found = read(c.req.param('protocolId') ?? '');
      return found === undefined ? notFound(c) : c.json(found);
    };

  const operations: readonly (readonly [RouteName, 'GET' | 'POST' | 'PUT' | 'DELETE', string, Handler<SandboxEnv>])[] =
    [
      ['list-protocols', 'GET', `${protocols}/contractor`, listProtocols],
      ['list-assignments', 'GET', `${protocols}/:protocolId/assignments`, ofProtocol(sample.assignmentsOf)],
      ['list-inspection-points', 'GET', `${protocols}/:protocolId/inspection-points`, ofProtocol(sample.pointsOf)],
      [
        'list-project-assignments',
        'GET',
        '/contractor/assignments/projects',
        (c) => c.json(sample.projectAssignments(c.req.query('County'))),
      ],
      ['sign-upload', 'POST', `${assignment}/files/sign-upload`, changes.signUpload],
      ['remove-file', 'DELETE', `${assignment}/files`, changes.removeFile],
      ['update-plan-after', 'PUT', `${assignment}/plan-after`, changes.updatePlanAfter],
      ['list-orderable-events', 'GET', '/contractor/orderable-events', (c) => c.json(sample.events)],
    ];

  const app = new Hono<SandboxEnv>();
  const authorized = bearerOf(tokens);
  for (const [route, method, path, handler] of operations) {
    app.on(method, path, watch(route, changes.subject), authorized, handler);
    app.all(path, authorized, allowOnly(method));
  }
  // Without a token, a client does not learn which paths exist.
  return app.use('/contractor/*', authorized);
};

const bearerOf =
  (tokens: TokenStore): MiddlewareHandler<SandboxEnv> =>
  async (c, next) => {
    const token = bearerToken(c.req.header('authorization'));
    if (token !== undefined && tokens.isValidAccess(token)) return next();
    // RFC 6750 section 3: an error code only if a token was presented.
    c.header('WWW-Authenticate', token === undefined ? 'Bearer' : 'Bearer error="invalid_token"');
    return problem(c, 401, 'Unauthorized', 'A valid access token is required.');
  };
