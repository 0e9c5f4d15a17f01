/**
 * The service across the threads: both ends of the two calls that the engine makes to it. Only main talks to the
 * service, and only main knows at once whose session it is.
 */

import { isSameUser, type Owner } from '../../../contract/connection.ts';
import { DeskError } from '../../../contract/errors.ts';
import type { Peer } from '../../async/port-calls.ts';
import type { UploadService } from '../transfer/upload-service.ts';
import type { EngineSession, ServiceCalls } from './engine-calls.ts';

/** The service as the engine's thread calls it. */
export const createRemoteService = (main: Pick<Peer<ServiceCalls>, 'call'>, handle: number): UploadService => ({
  signUpload: (request, { signal, subject }) => main.call('signUpload', { handle, subject, request }, signal),
  removeFile: (request, { signal, subject } = {}) => main.call('removeFile', { handle, subject, request }, signal),
});

/**
 * The service as main answers the engine. `find` answers the connection with a handle. The user is compared here, where a
 * new session is known at once: the engine may have made the call before it learned of it.
 */
export const answerServiceCalls = (
  find: (handle: number) => { readonly service: UploadService; readonly session: EngineSession },
): ServiceCalls => {
  const serviceFor = (handle: number, user: Pick<Owner, 'subject'>): UploadService => {
    const { service, session } = find(handle);
    if (isSameUser(user, session)) return service;
    throw new DeskError('upload/other-session', 'somebody else has signed in');
  };
  return {
    signUpload: async ({ handle, subject, request }, signal) =>
      serviceFor(handle, { subject }).signUpload(request, { signal }),
    removeFile: async ({ handle, subject, request }, signal) =>
      serviceFor(handle, { subject }).removeFile(request, { signal }),
  };
};
