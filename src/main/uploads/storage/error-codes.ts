/** The error codes of S3, Google (XML API) and Azure, which do not conflict, and their meaning for an upload. */
import type { Dialect, Meaning, Refusal } from './dialect.ts';

const codes: readonly (readonly [Meaning, readonly string[]])[] = [
  ['expired', ['ExpiredToken', 'RequestExpired']],
  ['not-yet', ['RequestTimeTooSkewed']],
  ['denied', ['AccessDenied', 'SignatureDoesNotMatch', 'InvalidAccessKeyId', 'AccountProblem', 'InvalidToken']],
  ['denied', ['AuthenticationFailed', 'AuthorizationFailure', 'AuthorizationPermissionMismatch', 'AccountIsDisabled']],
  ['denied', ['AuthorizationProtocolMismatch', 'AuthorizationResourceTypeMismatch', 'AuthorizationSourceIPMismatch']],
  ['denied', ['InsufficientAccountPermissions', 'UnauthorizedBlobOverwrite', 'UserProjectAccountProblem']],
  ['too-large', ['EntityTooLarge', 'MaxMessageLengthExceeded', 'RequestBodyTooLarge', 'BlockCountExceedsLimit']],
  ['busy', ['SlowDown', 'ServiceUnavailable', 'Throttling', 'RequestLimitExceeded', 'ServerBusy', 'OperationAborted']],
  [
    'garbled',
    ['BadDigest', 'InvalidDigest', 'CrcMismatch', 'XAmzContentChecksumMismatch', 'Md5Mismatch', 'InvalidMd5'],
  ],
  ['too-slow', ['RequestTimeout', 'IncompleteBody']],
  ['failed', ['InternalError', 'OperationTimedOut']],
];
const meanings = new Map(codes.flatMap(([meaning, named]) => named.map((code) => [code, meaning] as const)));

/** The error code in a storage's XML or JSON body. Letters and digits only, because bodies repeat parts of the signature. */
export const storageCode = (text: string): string | undefined =>
  /<Code>([A-Za-z0-9]{1,64})<\/Code>|"[Cc]ode"\s*:\s*"([A-Za-z0-9]{1,64})"/.exec(text)?.slice(1).find(Boolean);

/** The meaning of a refusal: from the dialect, otherwise from the code, otherwise from the status. */
export const meaningOf = (dialect: Dialect, refusal: Refusal): Meaning =>
  dialect.meaningOf(refusal) ?? meanings.get(storageCode(refusal.text) ?? '') ?? meaningOfStatus(refusal.status);

const meaningOfStatus = (status: number): Meaning => {
  if (status === 413) return 'too-large';
  if (status === 429 || status === 503) return 'busy';
  if (status === 408 || status >= 500) return 'failed';
  return status === 401 || status === 403 ? 'denied' : 'refused';
};
