/**
 * The errors of uploads that the documentation of each kind of storage lists, including errors that the storages of
 * these tests never return.
 */
import { createStorage, type StorageDialect } from './kinds.ts';
import { errorsBy, type StorageErrors } from './test-storage.ts';

const ofPlain = errorsBy({
  404: { NoSuchBucket: 'There is no such bucket' },
  408: { RequestTimeout: 'The content did not arrive in time' },
  429: { TooManyRequests: 'There are too many requests' },
  500: { InternalError: 'The storage failed' },
  503: { ServiceUnavailable: 'The storage is busy' },
});

const others: Readonly<Record<StorageDialect, StorageErrors>> = {
  plain: ofPlain,
  bare: ofPlain,
  s3: errorsBy({
    400: {
      ExpiredToken: 'The provided token has expired.',
      IncompleteBody: 'You did not provide the number of bytes specified by the Content-Length HTTP header.',
      InvalidToken: 'The provided token is malformed or otherwise not valid.',
      RequestTimeout: 'Your socket connection to the server was not read from or written to within the timeout period.',
    },
    403: {
      AccountProblem:
        'There is a problem with your AWS account that prevents the operation from completing successfully.',
      RequestTimeTooSkewed: "The difference between the request time and the server's time is too large.",
    },
    404: { NoSuchBucket: 'The specified bucket does not exist.' },
    409: {
      OperationAborted:
        'A conflicting conditional operation is currently in progress against this resource. Try again.',
    },
    500: { InternalError: 'An internal error occurred. Try again.' },
    503: {
      ServiceUnavailable: 'Service is unable to handle request.',
      SlowDown: 'Please reduce your request rate.',
    },
  }),
  google: errorsBy({
    400: {
      IncompleteBody: 'You did not provide the number of bytes specified by the Content-Length HTTP header.',
      RequestTimeout: 'Your socket connection to the server was not read from or written to within the timeout period.',
    },
    403: {
      AccountProblem: 'There is a problem with your account that prevents the operation from completing successfully.',
      RequestTimeTooSkewed: "The difference between the request time and the server's time is too large.",
      UserProjectAccountProblem:
        'There is a problem with the project used in the request that prevents the operation from completing.',
    },
    404: { NoSuchBucket: 'The specified bucket does not exist.' },
    409: {
      OperationAborted:
        'A conflicting conditional operation is currently in progress against this resource. Please try again.',
    },
    500: { InternalError: 'We encountered an internal error. Please try again.' },
    503: {
      ServiceUnavailable: 'Service unavailable. Please try again.',
      SlowDown: 'Please reduce your request rate.',
    },
  }),
  azure: errorsBy({
    400: {
      InvalidMd5: 'The MD5 value specified in the request is invalid. MD5 value must be 128 bits and base64 encoded.',
    },
    403: {
      AccountIsDisabled: 'The specified account is disabled.',
      AuthorizationPermissionMismatch:
        'This request is not authorized to perform this operation using this permission.',
      InsufficientAccountPermissions: 'Write operations are not allowed.',
      UnauthorizedBlobOverwrite: 'This request is not authorized to perform blob overwrites.',
    },
    404: { ContainerNotFound: 'The specified container does not exist.' },
    500: {
      InternalError: 'The server encountered an internal error. Please retry the request.',
      OperationTimedOut: 'The operation could not be completed within the permitted time.',
    },
    503: { ServerBusy: 'The server is currently unable to receive requests. Please retry your request.' },
  }),
};

/** Returns the documented errors of this kind of storage, by their codes. */
export const documentedErrors = (dialect: StorageDialect): StorageErrors => ({
  ...createStorage(dialect, { id: '', key: '' }).errors,
  ...others[dialect],
});
