/** The operations of the service that an upload needs. Each is tried once: the transfer decides about retries. */
import type { Owner } from '../../../contract/connection.ts';
import type { AssignmentFiles, UploadSignature } from '../../../contract/resources.ts';

export type SignRequest = { readonly AssignmentId: string; readonly FileName: string };
export type RemovalRequest = { readonly AssignmentId: string; readonly Key: string };

/** `subject`: the user whose session the call needs; absent: any user. */
type CallOptions = { readonly signal?: AbortSignal } & Pick<Owner, 'subject'>;

/** Errors: the service's, `upload/other-session`. */
export type UploadService = {
  readonly signUpload: (
    request: SignRequest,
    options: CallOptions & { readonly signal: AbortSignal },
  ) => Promise<UploadSignature>;
  /** Undefined if the file is gone but the service did not say what is left. */
  readonly removeFile: (request: RemovalRequest, options?: CallOptions) => Promise<AssignmentFiles | undefined>;
};
