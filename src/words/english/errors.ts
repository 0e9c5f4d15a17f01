import type { ErrorCode } from '../../contract/errors.ts';

type Text = { readonly title: string; readonly todo: string };

/**
 * What people read when something goes wrong: one entry for every error code. `title` says what happened, `todo` what the
 * person can do about it; both are whole sentences. A value that is not known, such as `{{path}}`, is left out together
 * with the space and the colon before it, so a sentence has to make sense without it.
 */
export const errors = {
  code: {
    'input/invalid': { title: 'Something entered here is not valid.', todo: 'Correct it and try again.' },
    'connection/missing': {
      title: 'No service is set up yet.',
      todo: 'Enter the addresses of your inspection service, or explore with sample data.',
    },
    'connection/insecure': {
      title: 'The address of the service is not secure.',
      todo: 'Use an address that starts with https://.',
    },
    'connection/address': {
      title: 'The address of the service has a part that it must not have.',
      todo: 'Enter the address without a user name, a query or a fragment.',
    },
    'connection/unexpected': {
      title: 'Something answers at this address, but not as the service would: {{answer}}.',
      todo: 'Check the address. A part of its path may be missing.',
    },
    'auth/required': { title: 'You are not signed in.', todo: 'Sign in to continue.' },
    'auth/expired': { title: 'Your sign-in has expired.', todo: 'Sign in again. Uploads continue where they stopped.' },
    'auth/denied': {
      title: 'The sign-in was refused.',
      todo: 'Check that you used the right account and that the scope of the connection is right, or ask the administrator of the service for access.',
    },
    'auth/failed': {
      title: 'The sign-in did not work: {{error}}.',
      todo: 'Try again. If it keeps failing, check the sign-in address, the client ID and the scope.',
    },
    'auth/timeout': {
      title: 'The sign-in took too long.',
      todo: 'Start it again and finish it in the browser within 10 minutes.',
    },
    'auth/cancelled': { title: 'The sign-in was cancelled.', todo: 'Sign in whenever you are ready.' },
    'auth/browser': {
      title: 'The browser could not be opened for the sign-in.',
      todo: 'Check that this computer has a default browser, then try again.',
    },
    'auth/refresh-refused': {
      title: 'The service did not renew your sign-in: {{error}}.',
      todo: 'Try again later. If it happens again, sign out and sign in again, or tell the administrator of the service.',
    },
    'auth/no-refresh-token': {
      title: 'The service does not let Inspection Desk stay signed in: it issued no refresh token.',
      todo: 'Add offline_access to the scope of the connection (under Advanced), or ask the administrator of the service to allow refresh tokens for this client ID.',
    },
    'auth/token-type': {
      title: 'The service issues sign-in tokens of the type {{type}}, which Inspection Desk cannot use.',
      todo: 'Ask the administrator of the service to issue Bearer tokens for this client ID.',
    },
    'auth/token-invalid': {
      title: 'The service issued a sign-in token that cannot be used.',
      todo: 'Try again. If it happens again, tell the administrator of the service.',
    },
    'keychain/unavailable': {
      title: 'The password store of this computer cannot be used.',
      todo: 'Unlock it and try again. It keeps your sign-in safe, so the app does not sign in without it.',
    },
    'vault/unreadable': {
      title: 'The stored sign-in could not be read.',
      todo: 'Sign in again.',
    },
    'service/unreachable': {
      title: 'The service cannot be reached.',
      todo: 'Check the network connection. Work you have already opened stays available.',
    },
    'service/timeout': { title: 'The service took too long to answer.', todo: 'Try again in a moment.' },
    'service/certificate-untrusted': {
      title: 'The certificate of the server {{host}} is not trusted.',
      todo: 'Nothing was sent. If your company inspects network traffic, ask its IT department; otherwise tell the administrator of the service.',
    },
    'service/certificate-expired': {
      title: 'The certificate of the server {{host}} has expired.',
      todo: 'Nothing was sent. Check the date of this computer. If it is right, tell the administrator of the service.',
    },
    'service/certificate-not-yet-valid': {
      title: 'The certificate of the server {{host}} is not valid yet.',
      todo: 'Nothing was sent. Check the date and time of this computer. If they are right, tell the administrator of the service.',
    },
    'service/certificate-wrong-name': {
      title: 'The certificate shown for the server {{host}} belongs to another name.',
      todo: 'Nothing was sent. Check the address. On a guest network, open its sign-in page in a browser first.',
    },
    'service/busy': { title: 'The service is busy.', todo: 'Wait a moment and try again.' },
    'service/failed': {
      title: 'The service has a problem of its own.',
      todo: 'Try again later. If it lasts, tell the administrator of the service.',
    },
    'service/forbidden': {
      title: 'Your account may not do this.',
      todo: 'Ask the administrator of the service for access.',
    },
    'service/not-found': {
      title: 'The service does not know this item.',
      todo: 'It may have been removed. Go back and refresh the list.',
    },
    'service/refused': {
      title: 'The service did not accept this.',
      todo: 'If you entered something, check it and try again. If it lasts, ask the administrator of the service.',
    },
    'service/malformed': {
      title: 'The answer of the service could not be understood.',
      todo: 'Try again. If it lasts, check the address of the service or tell its administrator.',
    },
    'service/too-large': {
      title: 'The answer of the service is larger than the app can read.',
      todo: 'If you searched or chose a county, narrow that. Otherwise tell the administrator of the service.',
    },
    'service/endless': {
      title: 'The list of the service does not end: it repeats its pages or has too many.',
      todo: 'The part that was read is available. Tell the administrator of the service.',
    },
    'cache/missing': {
      title: 'This has not been opened on this computer before, so it is not available offline.',
      todo: 'Open it once with a network connection.',
    },
    'upload/folder-missing': {
      title: 'The folder {{path}} is no longer there.',
      todo: 'Put it back, or choose the folder again.',
    },
    'upload/folder-unreadable': {
      title: 'The folder {{path}} cannot be read.',
      todo: 'Check that you have access to it, then try again.',
    },
    'upload/not-a-folder': {
      title: 'This is a file, not a folder.',
      todo: 'Put it into a folder, and upload that.',
    },
    'upload/file-missing': {
      title: 'The file {{path}} is no longer there.',
      todo: 'Put it back and retry.',
    },
    'upload/file-unreadable': {
      title: 'The file {{path}} cannot be read.',
      todo: 'Check that you have access to it, and retry.',
    },
    'upload/file-locked': {
      title: 'The file {{path}} is in use by another program.',
      todo: 'Close it there and retry.',
    },
    'upload/file-changed': {
      title: 'The file {{path}} changed while it was being uploaded.',
      todo: 'Finish editing it, then retry.',
    },
    'upload/file-linked': {
      title: 'A link has replaced the file {{path}}, or a folder it is in.',
      todo: 'Put the original back and retry. Links are never followed, because they can lead out of the chosen folder.',
    },
    'upload/interrupted': {
      title: 'The upload was interrupted.',
      todo: 'Resume it. Files that have arrived are not sent again.',
    },
    'upload/stalled': {
      title: 'The upload of this file stood still.',
      todo: 'Check the network connection and the drive the file is on, then retry.',
    },
    'upload/unanswered': {
      title: 'The file storage did not say whether it has this file.',
      todo: 'Retry. If the file has arrived, it is not stored twice.',
    },
    'upload/insecure-url': {
      title: 'The service named an address for this file that is not secure: {{host}}.',
      todo: 'Nothing was sent. Tell the administrator of the service.',
    },
    'upload/url-expired': {
      title: 'The permission to upload this file ran out before it arrived.',
      todo: 'Retry. If it keeps happening, the connection may be too slow for this file.',
    },
    'upload/not-yet-valid': {
      title: 'The permission to upload this file is not valid yet.',
      todo: 'The clocks of the service and of its file storage differ. Retry later, or tell the administrator of the service.',
    },
    'upload/clock-wrong': {
      title: 'The clock of this computer is wrong by about {{minutes}} minutes.',
      todo: 'Set date and time in the settings of the computer, then retry.',
    },
    'upload/denied': {
      title: 'The file storage does not permit this upload.',
      todo: 'Retry. If it is refused again, tell the administrator of the service.',
    },
    'upload/refused': {
      title: 'The file storage did not accept this file.',
      todo: 'Retry. If it is refused again, tell the administrator of the service.',
    },
    'upload/too-large': {
      title: 'The file {{path}} is larger than the service accepts.',
      todo: 'Make it smaller, for example by splitting or compressing it, and upload it again.',
    },
    'upload/damaged': {
      title: 'The file arrived damaged, again and again.',
      todo: 'Retry. If it happens again, tell the administrator of the service: its checksum is not that of the file.',
    },
    'upload/storage-failed': {
      title: 'The file storage has a problem of its own.',
      todo: 'Retry later. Files that have arrived are not sent again.',
    },
    'upload/uncertain': {
      title: 'It is not certain that this file arrived.',
      todo: 'Check the assignment in the service, then retry if the file is not there.',
    },
    'upload/batch-unknown': {
      title: 'This upload is not known on this computer.',
      todo: 'Look for it in the list of uploads.',
    },
    'upload/batch-state': {
      title: 'The upload is in a state where this cannot be done.',
      todo: 'Look at the upload again: it may have finished or been cancelled.',
    },
    'upload/cancelling': {
      title: 'This upload is being cancelled.',
      todo: 'It needs the service and the account that started it. Should it stop, it goes on after the next sign-in.',
    },
    'upload/other-session': {
      title: 'This upload belongs to another account or another service.',
      todo: 'Sign in with the account that started it.',
    },
    'upload/hashing-stopped': {
      title: 'The file could not be read to its end because of an error in the app.',
      todo: 'Retry it. If it happens again, send us the log.',
    },
    'upload/engine-stopped': {
      title: 'Uploading has stopped because of an error in the app.',
      todo: 'Start the app again: the uploads go on where they were. If it happens again, send us the log.',
    },
    'data/in-use': {
      title: 'Inspection Desk is already running with this data.',
      todo: 'Use the window that is open, or close it first.',
    },
    'data/newer': {
      title: 'The data on this computer was written by a newer version of Inspection Desk.',
      todo: 'Update the app.',
    },
    'data/corrupt': {
      title: 'Stored data is damaged and cannot be read: {{file}}.',
      todo: 'Keep the file and ask your support for help.',
    },
    'data/moved-aside': {
      title: 'A damaged file was set aside and a new one was started: {{file}}.',
      todo: 'Check your settings. Nothing was deleted.',
    },
    'data/left-out': {
      title: 'Some stored data could not be read and was left out: {{part}}.',
      todo: 'Everything else works as before. If an upload or a change is missing, ask your support for help.',
    },
    'data/unwritable': {
      title: 'Inspection Desk cannot write to its folder {{path}}.',
      todo: 'Check that the disk has space and that you may write to it.',
    },
    'data/unsynced': {
      title: 'The disk failed to store what Inspection Desk wrote to it.',
      todo: 'Check the disk and that it has space, then start the app again: the uploads go on where they were.',
    },
    'data/unsafe': {
      title: 'Inspection Desk does not use {{path}}: {{reason}}.',
      todo: 'Move it away, or let the app keep its data in a folder that belongs to you alone (--home).',
    },
    'preview/too-large': {
      title: 'The preview does not take {{limit}}.',
      todo: 'Choose less at once, or use the desktop app: it reads files where they are.',
    },
    'app/unsupported': {
      title: 'This is not possible here.',
      todo: 'Use the desktop app for it.',
    },
    'app/cancelled': { title: 'This was cancelled.', todo: 'Start it again whenever you like.' },
    'app/bug': {
      title: 'Something went wrong inside Inspection Desk.',
      todo: 'Try again. If it happens again, copy the details and send them to your support.',
    },
  } satisfies Readonly<Record<ErrorCode, Text>>,
  /** Where a file of an upload is meant: nothing was entered or opened there. */
  file: {
    'service/unreachable': {
      title: 'The service cannot be reached.',
      todo: 'Check the network connection, then retry.',
    },
    'service/not-found': {
      title: 'The service does not know this assignment.',
      todo: 'It may have been removed. Ask the administrator of the service.',
    },
    'service/refused': {
      title: 'The service did not accept this file.',
      todo: 'Retry. If it is refused again, tell the administrator of the service.',
    },
  },
  /** Where it is known which host it was: the service, the sign-in or a storage. */
  host: {
    'service/unreachable': { title: 'The server {{host}} cannot be reached.', todo: 'Check the network connection.' },
    'service/timeout': { title: 'The server {{host}} took too long to answer.', todo: 'Check the network connection.' },
    'service/busy': { title: 'The server {{host}} asked for a pause.', todo: 'Wait a moment and try again.' },
  },
  /** Names of fields, as the forms show them. */
  fieldName: {
    baseUrl: 'Service address',
    authUrl: 'Sign-in address',
    clientId: 'Client ID',
    scope: 'Scope',
    redirectUri: 'Redirect address',
    PlanAfter: 'Plan after',
    AssignmentId: 'Assignment ID',
    path: 'The name of a file',
  },
  field: {
    invalid: '{{name}} is not valid.',
    insecure: '{{name}} is not secure.',
    userinfo: {
      title: '{{name}} must not contain a user name or password.',
      todo: 'Remove the part between // and @, and the @ itself.',
    },
    query: { title: '{{name}} must not contain a query.', todo: 'Remove the ? and everything after it.' },
    fragment: { title: '{{name}} must not contain a fragment.', todo: 'Remove the # and everything after it.' },
  },
  issuedBy: 'It was issued by {{issuer}}.',
  retryInSeconds_one: 'Try again in {{count, number}} second.',
  retryInSeconds_other: 'Try again in {{count, number}} seconds.',
  retryInMinutes_one: 'Try again in {{count, number}} minute.',
  retryInMinutes_other: 'Try again in {{count, number}} minutes.',
} as const;
