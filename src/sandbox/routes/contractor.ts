/**
 * The eight operations under /contractor, which require a valid access token. They return errors in the shape that
 * `problem` in http/http.ts defines.
 */
import { type Context, type Handler, Hono, type MiddlewareHandler } from 'hono';
import { z } from 'zod';
import { AssignmentId, FileName, type UploadSignature } from '../../contract/resources.ts';
import { allowOnly, bearerToken, notFound, problem, type RouteName, type SandboxEnv } from '../http/http.ts';
import type { TokenStore } from '../state/tokens.ts';
import type { Service } from './service.ts';
import { storagePath } from './storage.ts';

/** Creates the routes of the operations, to be mounted at the root. */
export const contractorRoutes = (service: Service): Hono<SandboxEnv> => {
  const { watch, tokens, sample, settings } = service;
  const protocols = '/contractor/compiled-inspection-protocols';
  const assignment = '/contractor/assignments/:assignmentId';
  const changes = changeHandlers(service);

  const listProtocols: Handler<SandboxEnv> = (c) => {
    const page = readPage(c.req.query('Page'), c.req.query('cursor'));
    if (page === undefined) return problem(c, 400, 'InvalidPage', 'Page is an integer from 1 up.');
    return c.json(sample.protocolPage(page, settings.pageSize, c.req.query('Query') ?? ''));
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
    // RFC 6750 section 3 allows an error code only if a token was presented.
    c.header('WWW-Authenticate', token === undefined ? 'Bearer' : 'Bearer error="invalid_token"');
    return problem(c, 401, 'Unauthorized', 'A valid access token is required.');
  };

/**
 * Returns the requested page of the protocol list, counted from 1. `Page` takes precedence over `cursor`, its
 * deprecated alias, which counts from 0. Returns undefined if the parameter is not a valid number.
 */
const readPage = (page: string | undefined, cursor: string | undefined): number | undefined => {
  if (page !== undefined) return readInteger(page, 1);
  const fromZero = readInteger(cursor ?? '0', 0);
  return fromZero === undefined ? undefined : fromZero + 1;
};

const readInteger = (text: string, least: number): number | undefined =>
  /^\d{1,9}$/.test(text) && Number(text) >= least ? Number(text) : undefined;

// The three operations that change an assignment. They check path and body before they look for the assignment.

const changeHandlers = ({ state, uploads, kind, now, baseUrl, settings }: Service) => {
  const storage = (settings.storageBaseUrl ?? baseUrl).replace(/\/+$/, '');
  /** Creates a Key on an existing assignment, with the signed URL for its file. */
  const signUpload = (assignmentId: string, fileName: string): UploadSignature => {
    const key = uploads.sign(assignmentId, fileName);
    const path = storagePath(key);
    const atMs = now();
    const endMs = atMs + settings.signedUrlTtlS * 1000;
    const query = kind.sign({ host: new URL(storage).host, path, atMs, endMs });
    return { AssignmentId: assignmentId, Key: key, Url: `${storage}${path}?${query}` };
  };
  const onAssignment =
    <Schema extends z.ZodType>(
      schema: Schema,
      change: (c: Context<SandboxEnv>, assignmentId: string, body: z.infer<Schema>) => Response,
    ): Handler<SandboxEnv> =>
    async (c) => {
      const id = AssignmentId.safeParse(c.req.param('assignmentId'));
      if (!id.success) return problem(c, 400, 'InvalidAssignmentId', 'AssignmentId is a uuid.');
      if (!/^application\/json *(;|$)/i.test(c.req.header('content-type') ?? '')) {
        return problem(c, 415, 'UnsupportedMediaType', 'The body is application/json.');
      }
      const body = schema.safeParse(await c.req.json().catch(() => undefined));
      if (!body.success) return problem(c, 400, 'InvalidBody', z.prettifyError(body.error));
      const assignmentId = state.assignmentId(id.data);
      return assignmentId === undefined ? notFound(c) : change(c, assignmentId, body.data);
    };

  return {
    signUpload: onAssignment(z.object({ FileName }), (c, assignmentId, body) =>
      c.json(signUpload(assignmentId, body.FileName)),
    ),
    removeFile: onAssignment(z.object({ Key: z.string() }), (c, assignmentId, body) => {
      const remaining = state.removeFile(assignmentId, body.Key);
      return remaining === undefined ? notFound(c) : c.json(remaining);
    }),
    updatePlanAfter: onAssignment(z.object({ PlanAfter: z.number().optional() }), (c, assignmentId, body) =>
      c.json(state.setPlanAfter(assignmentId, body.PlanAfter)),
    ),
    /** Reads the FileName and the Key in a request's body, joined by a line feed. A missing one is empty. */
    subject: async (c: Context<SandboxEnv>): Promise<string> => {
      const body = Subject.safeParse(await c.req.json().catch(() => undefined));
      return body.success ? `${body.data.FileName ?? ''}\n${body.data.Key ?? ''}` : '';
    },
  };
};

const Subject = z.object({ FileName: z.string().optional(), Key: z.string().optional() });
