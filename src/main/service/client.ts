/** The client of the contractor inspection service: one function an endpoint, in the interface's order. */
import type { z } from 'zod';
import { DeskError } from '../../contract/errors.ts';
import {
  AssignmentFile,
  AssignmentFiles,
  AssignmentId,
  AssignmentList,
  AssignmentSummary,
  FileName,
  InspectionPoint,
  OrderableEvent,
  PlanAfterValue,
  ProtocolPage,
  ProtocolSummary,
  UploadSignature,
} from '../../contract/resources.ts';
import { mayHaveBeenProcessed } from '../net/translate.ts';
import { arrayOf, everyOf, exactly, listOf, type ResponseReader } from './responses.ts';
import { createTransport, LIST_RESPONSE, SMALL_RESPONSE, type TransportOptions } from './transport.ts';

type Signal = { readonly signal?: AbortSignal | undefined };

export type ServiceClient = ReturnType<typeof createServiceClient>;

const protocols = ['contractor', 'compiled-inspection-protocols'];
const assignments = ['contractor', 'assignments'];

const protocolPage = listOf({
  item: ProtocolSummary,
  field: 'Items',
  whole: (frame, Items): ProtocolPage => ({ ...ProtocolPage.parse(frame), Items }),
});

const assignmentList = listOf({
  item: AssignmentSummary,
  field: 'Items',
  whole: (frame, Items): AssignmentList => ({ ...AssignmentList.parse(frame), Items }),
});

const remainingFiles = everyOf({
  item: AssignmentFile,
  field: 'Files',
  whole: (frame, Files): AssignmentFiles | undefined => {
    const files = AssignmentFiles.optional().parse(frame);
    return files && { ...files, Files };
  },
});

/**
 * The client for the service at `baseUrl`. Every function rejects with a `DeskError`: `input/invalid` before anything is sent,
 * `auth/…` of the token source, `service/…`, `app/cancelled`. Reads, the plan-after update and the removal are retried if that
 * can help.
 * @throws DeskError `connection/insecure`
 */
export const createServiceClient = (options: TransportOptions) => {
  const call = createTransport(options);
  const read = <T>(path: readonly string[], response: ResponseReader<T>, { signal }: Signal = {}, query = {}) =>
    call({ method: 'GET', path, query, response, idempotent: true, timeLimits: LIST_RESPONSE, signal });

  return {
    /** 1. List protocols for contractor. Without `Page` the service's first page; the deprecated `cursor` is not sent. */
    listProtocols: (
      { Page, Query }: { readonly Page?: number | undefined; readonly Query?: string | undefined } = {},
      options?: Signal,
    ) => read([...protocols, 'contractor'], protocolPage, options, { Page, Query }),

    /** 2. List assignments by protocol. */
    listAssignments: (InspectionProtocolId: string, options?: Signal) =>
      read([...protocols, InspectionProtocolId, 'assignments'], assignmentList, options),

    /** 3. List inspection points by protocol. */
    listInspectionPoints: (InspectionProtocolId: string, options?: Signal) =>
      read([...protocols, InspectionProtocolId, 'inspection-points'], arrayOf(InspectionPoint), options),

    /** 4. List assignments for projects. */
    listProjectAssignments: ({ County }: { readonly County?: string | undefined } = {}, options?: Signal) =>
      read([...assignments, 'projects'], assignmentList, options, { County }),

    /**
     * 5. Sign assignment file upload. Retried only if it cannot have been processed, because each signature has its own Key.
     * Its `Url` is a credential, and is not yet checked to be a secure address.
     */
    signUpload: async (
      input: { readonly AssignmentId: string; readonly FileName: string },
      { signal }: Signal = {},
    ): Promise<UploadSignature> =>
      call({
        method: 'POST',
        path: [...assignments, checked(AssignmentId, input.AssignmentId, 'AssignmentId'), 'files', 'sign-upload'],
        body: { FileName: checked(FileName, input.FileName, 'FileName') },
        response: exactly(UploadSignature),
        idempotent: false,
        timeLimits: SMALL_RESPONSE,
        signal,
      }),

    /**
     * 6. Remove assignment file. Resolves with the files that the assignment has now; undefined if the service does not list
     * them: for a 2xx without a body, or a 404 after an attempt with an unknown outcome, which removed the file. A 404 of
     * the first attempt is `service/not-found`.
     */
    removeFile: async (
      input: { readonly AssignmentId: string; readonly Key: string },
      { signal }: Signal = {},
    ): Promise<AssignmentFiles | undefined> => {
      let isUnclear = false;
      return call({
        method: 'DELETE',
        path: [...assignments, checked(AssignmentId, input.AssignmentId, 'AssignmentId'), 'files'],
        body: { Key: input.Key },
        response: remainingFiles,
        idempotent: true,
        timeLimits: LIST_RESPONSE,
        signal,
        recover: (error) => {
          if (!(error instanceof DeskError)) throw error;
          if (isUnclear && error.code === 'service/not-found') return undefined;
          isUnclear ||= mayHaveBeenProcessed(error);
          throw error;
        },
      });
    },

    /** 7. Update assignment plan after. Without `PlanAfter` the body is an empty object, which clears the value. */
    updatePlanAfter: async (
      { PlanAfter, ...of }: { readonly AssignmentId: string; readonly PlanAfter?: number | undefined },
      { signal }: Signal = {},
    ): Promise<PlanAfterValue> =>
      call({
        method: 'PUT',
        path: [...assignments, checked(AssignmentId, of.AssignmentId, 'AssignmentId'), 'plan-after'],
        body: { PlanAfter },
        response: exactly(PlanAfterValue),
        idempotent: true,
        timeLimits: SMALL_RESPONSE,
        signal,
      }),

    /** 8. List orderable events. */
    listOrderableEvents: (options?: Signal) =>
      read(['contractor', 'orderable-events'], arrayOf(OrderableEvent), options),
  };
};

const checked = (schema: z.ZodType<string>, value: string, field: string): string => {
  if (schema.safeParse(value).success) return value;
  throw new DeskError('input/invalid', `${field} is not valid`, { details: { field } });
};
