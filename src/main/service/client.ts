/** The client of the contractor inspection service: one function an endpoint, in the interface's order. */
import type { z } from 'zod';
import { DeskError } from '../../contract/errors.ts';
import type { Listing } from '../../contract/resources.ts';
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
import { arrayOf, everyOf, exactly, listOf } from './answers.ts';
import { createTransport, LIST_ANSWER, SMALL_ANSWER, type TransportOptions } from './transport.ts';

type Signal = { readonly signal?: AbortSignal | undefined };

/**
 * Every function rejects with a `DeskError`: `input/invalid` before anything is sent, `auth/…` of the token source,
 * `service/…`, `app/cancelled`. Reads, the plan-after update and the removal are retried if that can help.
 */
export type ServiceClient = {
  /** 1. List protocols for contractor. Without `Page` the service's first page; the deprecated `cursor` is not sent. */
  readonly listProtocols: (
    query?: { readonly Page?: number | undefined; readonly Query?: string | undefined },
    options?: Signal,
  ) => Promise<Listing<ProtocolPage>>;
  /** 2. List assignments by protocol. */
  readonly listAssignments: (InspectionProtocolId: string, options?: Signal) => Promise<Listing<AssignmentList>>;
  /** 3. List inspection points by protocol. */
  readonly listInspectionPoints: (
    InspectionProtocolId: string,
    options?: Signal,
  ) => Promise<Listing<readonly InspectionPoint[]>>;
  /** 4. List assignments for projects. */
  readonly listProjectAssignments: (
    query?: { readonly County?: string | undefined },
    options?: Signal,
  ) => Promise<Listing<AssignmentList>>;
  /**
   * 5. Sign assignment file upload. Retried only if it cannot have been processed, because each signature has its own Key.
   * Its `Url` is a credential, and is not yet checked to be a secure address.
   */
  readonly signUpload: (
    input: { readonly AssignmentId: string; readonly FileName: string },
    options?: Signal,
  ) => Promise<UploadSignature>;
  /**
   * 6. Remove assignment file. Resolves with the files that the assignment has now; undefined if the service does not list
   * them: for a 2xx without a body, or a 404 after an attempt with an unknown outcome, which removed the file. A 404 of
   * the first attempt is `service/not-found`.
   */
  readonly removeFile: (
    input: { readonly AssignmentId: string; readonly Key: string },
    options?: Signal,
  ) => Promise<AssignmentFiles | undefined>;
  /** 7. Update assignment plan after. Without `PlanAfter` the body is an empty object, which clears the value. */
  readonly updatePlanAfter: (
    input: { readonly AssignmentId: string; readonly PlanAfter?: number | undefined },
    options?: Signal,
  ) => Promise<PlanAfterValue>;
  /** 8. List orderable events. */
  readonly listOrderableEvents: (options?: Signal) => Promise<Listing<readonly OrderableEvent[]>>;
};

const protocols = ['contractor', 'compiled-inspection-protocols'] as const;
const assignments = ['contractor', 'assignments'] as const;
const read = { method: 'GET', idempotent: true, timeLimits: LIST_ANSWER } as const;

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

const filesLeft = everyOf({
  item: AssignmentFile,
  field: 'Files',
  whole: (frame, Files): AssignmentFiles | undefined => {
    const files = AssignmentFiles.optional().parse(frame);
    return files && { ...files, Files };
  },
});

/** The client for the service at `baseUrl`. @throws DeskError `connection/insecure` */
export const createServiceClient = (options: TransportOptions): ServiceClient => {
  const call = createTransport(options);
  return {
    listProtocols: async (query = {}, { signal } = {}) =>
      call({
        ...read,
        path: [...protocols, 'contractor'],
        query: { Page: query.Page, Query: query.Query },
        answer: protocolPage,
        signal,
      }),

    listAssignments: async (InspectionProtocolId, { signal } = {}) =>
      call({
        ...read,
        path: [...protocols, InspectionProtocolId, 'assignments'],
        answer: assignmentList,
        signal,
      }),

    listInspectionPoints: async (InspectionProtocolId, { signal } = {}) =>
      call({
        ...read,
        path: [...protocols, InspectionProtocolId, 'inspection-points'],
        answer: arrayOf(InspectionPoint),
        signal,
      }),

    listProjectAssignments: async (query = {}, { signal } = {}) =>
      call({
        ...read,
        path: [...assignments, 'projects'],
        query: { County: query.County },
        answer: assignmentList,
        signal,
      }),

    signUpload: async (input, { signal } = {}) =>
      call({
        method: 'POST',
        path: [...assignments, checked(AssignmentId, input.AssignmentId, 'AssignmentId'), 'files', 'sign-upload'],
        body: { FileName: checked(FileName, input.FileName, 'FileName') },
        answer: exactly(UploadSignature),
        idempotent: false,
        timeLimits: SMALL_ANSWER,
        signal,
      }),

    removeFile: async (input, { signal } = {}) => {
      let unclear = false;
      return call({
        method: 'DELETE',
        path: [...assignments, checked(AssignmentId, input.AssignmentId, 'AssignmentId'), 'files'],
        body: { Key: input.Key },
        answer: filesLeft,
        idempotent: true,
        timeLimits: LIST_ANSWER,
        signal,
        recover: (error) => {
          if (!(error instanceof DeskError)) throw error;
          if (unclear && error.code === 'service/not-found') return undefined;
          unclear ||= mayHaveBeenProcessed(error);
          throw error;
        },
      });
    },

    updatePlanAfter: async (input, { signal } = {}) =>
      call({
        method: 'PUT',
        path: [...assignments, checked(AssignmentId, input.AssignmentId, 'AssignmentId'), 'plan-after'],
        body: input.PlanAfter === undefined ? {} : { PlanAfter: input.PlanAfter },
        answer: exactly(PlanAfterValue),
        idempotent: true,
        timeLimits: SMALL_ANSWER,
        signal,
      }),

    listOrderableEvents: async ({ signal } = {}) =>
      call({ ...read, path: ['contractor', 'orderable-events'], answer: arrayOf(OrderableEvent), signal }),
  };
};

const checked = (schema: z.ZodType<string>, value: string, field: string): string => {
  if (schema.safeParse(value).success) return value;
  throw new DeskError('input/invalid', `${field} is not valid`, { details: { field } });
};
