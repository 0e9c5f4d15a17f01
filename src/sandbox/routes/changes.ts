/** The three operations that change an assignment. Path and body are checked before anything is looked up. */
import type { Context, Handler } from 'hono';
import { z } from 'zod';
import { AssignmentId, FileName, type UploadSignature } from '../../contract/resources.ts';
import type { SandboxEnv } from '../http/environment.ts';
import { notFound, problem } from '../http/problem.ts';
import type { ServiceState } from '../state/service-state.ts';

/** Creates a Key on an existing assignment, with the signed URL for its file. */
export type SignUpload = (assignmentId: string, fileName: string) => UploadSignature;

type ChangeHandlers = {
  readonly signUpload: Handler<SandboxEnv>;
  readonly removeFile: Handler<SandboxEnv>;
  readonly updatePlanAfter: Handler<SandboxEnv>;
  /** The FileName or Key in a request's body, or an empty text. */
  readonly subject: (c: Context<SandboxEnv>) => Promise<string>;
};

/** The handlers of sign-upload, remove-file and update-plan-after. */
export const changeHandlers = (state: ServiceState, signUpload: SignUpload): ChangeHandlers => {
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
    subject: async (c) => {
      const body = Subject.safeParse(await c.req.json().catch(() => undefined));
      return body.success ? `${body.data.FileName ?? ''}\n${body.data.Key ?? ''}` : '';
    },
  };
};

const Subject = z.object({ FileName: z.string().optional(), Key: z.string().optional() });
