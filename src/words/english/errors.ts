import type { ErrorCode } from '../../contract/errors.ts';
import { uploadErrors } from './upload-errors.ts';

type Text = { readonly title: string; readonly todo: string };

/**
 * What people read when something goes wrong: one entry for every error code. `title` says what happened, `todo` what the
 * person can do about it; both are whole sentences. A value that is not known, such as `{{path}}`, is left out together
 * with the space and the colon before it, so a sentence has to make sense without it.
 */
export const errors = {
  code: {
    'input/invalid': { title: 'A value is not valid.', todo: 'Correct it and try again.' },
    'connection/missing': {
      title: 'No service is set up yet.',
      todo: 'Enter the addresses of your inspection service, or explore with sample data.',
    },
    'connection/insecure': {
      title: 'The service address is not secure.',
      todo: 'Use an address that starts with https://.',
    },
    'connection/address': {
      title: 'The service address contains a part that is not allowed.',
      todo: 'Enter the address without a user name, query or fragment.',
    },
    'connection/sample-off': {
      title: 'Sample data is turned off.',
      todo: 'Your organisation does not allow it. Connect to your service instead.',
    },
    'connection/unexpected': {
      title: 'The server at this address does not respond as expected: {{answer}}.',
      todo: 'Check the address. Part of its path may be missing. If you are on a guest network, open its sign-in page in a browser first.',
    },
    'auth/required': { title: 'You are not signed in.', todo: 'Sign in to continue.' },
    'auth/expired': { title: 'Your sign-in has expired.', todo: 'Sign in again. Uploads continue automatically.' },
    'auth/denied': {
      title: 'The sign-in was refused.',
      todo: 'Check that you used the right account and that the scope is correct, or ask the administrator of the service for access.',
    },
    'auth/failed': {
      title: 'The sign-in failed: {{error}}.',
      todo: 'Try again. If the problem persists, check the sign-in address, the client ID and the scope.',
    },
    'auth/timeout': {
      title: 'The sign-in took too long.',
      todo: 'Try again, and complete the sign-in in the browser within 10 minutes.',
    },
    'auth/cancelled': { title: 'The sign-in was cancelled.', todo: 'Sign in when you are ready.' },
    'auth/browser': {
      title: 'The browser could not be opened.',
      todo: 'Set a default browser on this computer, then try again.',
    },
    'auth/refresh-refused': {
      title: 'The service did not renew your sign-in: {{error}}.',
      todo: 'Try again later. If the problem persists, sign out and sign in again, or contact the administrator of the service.',
    },
    'auth/no-refresh-token': {
      title: 'You cannot stay signed in: the service did not issue a refresh token.',
      todo: 'Add offline_access to the scope of the connection (under Advanced), or ask the administrator of the service to allow refresh tokens for this client ID.',
    },
    'auth/token-type': {
      title: 'The service issued a token of an unsupported type: {{type}}.',
      todo: 'Ask the administrator of the service to issue Bearer tokens for this client ID.',
    },
    'auth/token-invalid': {
      title: 'The service issued an invalid token.',
      todo: 'Try again. If the problem persists, contact the administrator of the service.',
    },
    'keychain/unavailable': {
      title: 'The password store of this computer is unavailable.',
      todo: 'Unlock it and try again. Inspection Desk needs it to store your sign-in securely.',
    },
    'vault/unreadable': {
      title: 'The stored sign-in could not be read.',
      todo: 'Sign in again.',
    },
    'service/unreachable': {
      title: 'The service cannot be reached.',
      todo: 'Check the network connection. Everything you have opened before is available offline.',
    },
    'service/timeout': { title: 'The service took too long to respond.', todo: 'Try again in a moment.' },
    'service/certificate-untrusted': {
      title: 'The certificate of the server {{host}} is not trusted.',
      todo: 'Nothing was sent. If your company inspects network traffic, ask your IT department. Otherwise contact the administrator of the service.',
    },
    'service/certificate-expired': {
      title: 'The certificate of the server {{host}} has expired.',
      todo: 'Nothing was sent. Check the date on this computer. If it is correct, contact the administrator of the service.',
    },
    'service/certificate-not-yet-valid': {
      title: 'The certificate of the server {{host}} is not yet valid.',
      todo: 'Nothing was sent. Check the date and time on this computer. If they are correct, contact the administrator of the service.',
    },
    'service/certificate-wrong-name': {
      title: 'The certificate of the server {{host}} is for a different name.',
      todo: 'Nothing was sent. Check the address. If you are on a guest network, open its sign-in page in a browser first.',
    },
    'service/tls-outdated': {
      title: 'The server {{host}} offers only outdated encryption.',
      todo: 'Nothing was sent. Inspection Desk requires TLS 1.2 or newer. Ask the administrator of this server to enable it.',
    },
    'service/tls-missing': {
      title: 'The server {{host}} does not use encryption.',
      todo: 'Nothing was sent. Check the address and its port. If it is the address of a proxy, it may have to begin with http:// instead of https://.',
    },
    'network/interrupted': {
      title: 'The server {{host}} interrupts every upload.',
      todo: 'A firewall or a security program may be ending the connections. Resume the upload later, or ask your IT department.',
    },
    'service/busy': { title: 'The service is busy.', todo: 'Wait a moment and try again.' },
    'service/failed': {
      title: 'The service reported an error.',
      todo: 'Try again later. If the problem persists, contact the administrator of the service.',
    },
    'service/forbidden': {
      title: "You don't have permission to do this.",
      todo: 'Ask the administrator of the service for access.',
    },
    'service/not-found': {
      title: 'The service could not find this item.',
      todo: 'It may have been removed. Go back and refresh the list.',
    },
    'service/refused': {
      title: 'The service rejected the request.',
      todo: 'Check what you entered and try again. If the problem persists, contact the administrator of the service.',
    },
    'service/malformed': {
      title: 'The service sent an unexpected response.',
      todo: 'Try again. If the problem persists, check the service address or contact the administrator of the service.',
    },
    'service/too-large': {
      title: 'The response of the service is too large.',
      todo: 'Narrow your search or choose a county. If that does not help, contact the administrator of the service.',
    },
    'service/endless': {
      title: 'The service sent repeated pages or too many of them, so the list is incomplete.',
      todo: 'You can use the part that was loaded. Contact the administrator of the service.',
    },
    'network/proxy-address': {
      title: 'The proxy address is not valid: {{field}}.',
      todo: 'Enter a scheme, a host and a port, for example http://proxy.example.com:8080. If the name of an environment variable is shown, correct its value.',
    },
    'network/proxy-unreachable': {
      title: 'The proxy {{proxy}} cannot be reached.',
      todo: 'Check the network connection. Check that the proxy is still correct where it was set: in the settings (under Network), by your IT department, or in an environment variable.',
    },
    'network/proxy-password': {
      title: 'The proxy {{proxy}} requires a user name and a password.',
      todo: 'Try again, and enter your user name and password for the proxy when you are asked for them.',
    },
    'network/proxy-password-wrong': {
      title: 'The proxy {{proxy}} rejected the user name and the password.',
      todo: 'Try again and correct them. Several wrong attempts may lock your account.',
    },
    'network/proxy-scheme': {
      title: 'The proxy {{proxy}} requires a kind of sign-in that Inspection Desk does not support: {{schemes}}.',
      todo: 'Ask your IT department to let this computer reach the service without a sign-in at the proxy, or to install a local proxy that signs in for it.',
    },
    'network/proxy-refused': {
      title: 'The proxy {{proxy}} does not allow connections to {{host}}.',
      todo: 'Ask your IT department to allow this server.',
    },
    'network/ca-file': {
      title: 'The file with certificate authorities cannot be used: {{path}}.',
      todo: 'Check that it exists and contains certificates in PEM format, or remove it from the settings (under Network).',
    },
    'network/captive-portal': {
      title: 'A web page responds instead of the server {{host}}.',
      todo: 'If you are on a guest network, open its sign-in page in a browser. Otherwise check the address. Uploads continue automatically.',
    },
    'cache/missing': {
      title: 'This is not available offline because it has not been opened on this computer.',
      todo: 'Open it once while you are online.',
    },
    'cache/full': {
      title: 'Offline data has reached its maximum size, so not everything is available offline.',
      todo: 'Increase the maximum size in the settings (under Storage), then continue.',
    },
    ...uploadErrors,
    'settings/managed': {
      title: 'Your organisation has set this.',
      todo: 'Ask your IT department if it needs to change.',
    },
    'policy/syntax': {
      title: 'The policy of your organisation cannot be read. Errors by file and line: {{faults}}.',
      todo: 'Ask your IT department to correct it.',
    },
    'policy/unknown-key': {
      title:
        'The policy of your organisation contains an unknown key. All errors, with file, line, key and what is allowed there: {{faults}}.',
      todo: 'Ask your IT department to correct it.',
    },
    'policy/invalid': {
      title:
        'The policy of your organisation contains a value that is not valid. All errors, with file, line, key and what is allowed there: {{faults}}.',
      todo: 'Ask your IT department to correct it.',
    },
    'policy/unsafe': {
      title: 'The policy of your organisation is not protected: {{path}}.',
      todo: 'Ask your IT department to let only administrators change it.',
    },
    'policy/unreadable': {
      title: 'The policy of your organisation cannot be opened: {{path}}.',
      todo: 'Ask your IT department to check it: it must be an ordinary file of at most 1 MB that all users of this computer may read.',
    },
    'update/unreachable': {
      title: 'The server for updates cannot be reached.',
      todo: 'The app tries again later. If this persists, ask your IT department.',
    },
    'update/damaged': {
      title: 'The update was damaged.',
      todo: 'It was not installed. The app downloads it again later.',
    },
    'update/untrusted': {
      title: 'The update is not signed by the publisher of this app, or it is not the version that was announced.',
      todo: 'It was not installed. Tell your IT department.',
    },
    'update/missing': {
      title: 'There is no update to install.',
      todo: 'Check for updates first.',
    },
    'update/busy': {
      title: 'An upload is in progress.',
      todo: 'Wait until the upload has finished, or let the app install the update when you quit.',
    },
    'data/in-use': {
      title: 'Inspection Desk is already running with this data.',
      todo: 'Use the open window, or close it first.',
    },
    'data/newer': {
      title: 'The data on this computer was written by a newer version of Inspection Desk.',
      todo: 'Update the app.',
    },
    'data/corrupt': {
      title: 'Stored data is damaged: {{file}}.',
      todo: 'Keep the file and contact your support team.',
    },
    'data/moved-aside': {
      title: 'A damaged file was replaced by a new one: {{file}}.',
      todo: 'Check your settings. The damaged file was kept.',
    },
    'data/left-out': {
      title: 'Some stored data could not be read: {{part}}.',
      todo: 'Everything else works as before. If an upload or a change is missing, contact your support team.',
    },
    'data/unwritable': {
      title: 'Inspection Desk cannot write to its folder {{path}}.',
      todo: 'Check that the disk has free space and that you have write access.',
    },
    'data/unsynced': {
      title: 'Inspection Desk could not save its data to the disk.',
      todo: 'Check the disk and its free space, then restart the app: uploads continue where they stopped.',
    },
    'data/unsafe': {
      title: 'Inspection Desk cannot use {{path}}: {{reason}}.',
      todo: 'Remove it, or choose a data directory that only you can access (--home).',
    },
    'output/not-a-file': {
      title: 'There is something other than a file at {{path}}.',
      todo: 'Choose another name: a folder, a device or a pipe is never replaced.',
    },
    'output/data-directory': {
      title: 'Nothing can be saved in the folder of Inspection Desk itself: {{path}}.',
      todo: 'Choose another folder.',
    },
    'preview/too-large': {
      title: 'The preview does not accept {{limit}}.',
      todo: 'Choose fewer files, or use the desktop app.',
    },
    'app/unsupported': {
      title: 'This is not available here.',
      todo: 'Use the desktop app.',
    },
    'app/cancelled': { title: 'The operation was cancelled.', todo: 'You can start it again at any time.' },
    'app/bug': {
      title: 'Inspection Desk encountered an error.',
      todo: 'Try again. If the problem persists, copy the details and send them to your support team.',
    },
  } satisfies Readonly<Record<ErrorCode, Text>>,
  /** Where a file of an upload is meant: nothing was entered or opened there. */
  file: {
    'service/unreachable': {
      title: 'The service cannot be reached.',
      todo: 'Check the network connection, then retry.',
    },
    'service/not-found': {
      title: 'The service could not find this assignment.',
      todo: 'It may have been removed. Ask the administrator of the service.',
    },
    'service/refused': {
      title: 'The service rejected this file.',
      todo: 'Retry. If the problem persists, contact the administrator of the service.',
    },
  },
  /** Where it is known which host it was: the service, the sign-in or a storage. */
  host: {
    'service/unreachable': { title: 'The server {{host}} cannot be reached.', todo: 'Check the network connection.' },
    'service/timeout': {
      title: 'The server {{host}} took too long to respond.',
      todo: 'Check the network connection.',
    },
    'service/busy': { title: 'The server {{host}} is busy.', todo: 'Wait a moment and try again.' },
  },
  /** Where the name of the server or of the proxy is unknown to the name server, or that cannot be asked. */
  name: {
    host: {
      title: 'The name of the server {{host}} could not be found.',
      todo: 'Check the address and the network connection. If other websites open, ask your IT department about the name server (DNS).',
    },
    proxy: {
      title: 'The name of the proxy {{proxy}} could not be found.',
      todo: 'Check the network connection. If you are away from the office, connect to its network (VPN) first. Otherwise check that the proxy is still correct where it was set.',
    },
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
    path: 'The file name',
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
  validity: 'It is valid from {{validFrom}} to {{validTo}}; the clock of this computer says {{clock}}.',
  clockOff: 'It differs from the clock of the server by {{minutes}} min.',
  retryInSeconds_one: 'Try again in {{count, number}} second.',
  retryInSeconds_other: 'Try again in {{count, number}} seconds.',
  retryInMinutes_one: 'Try again in {{count, number}} minute.',
  retryInMinutes_other: 'Try again in {{count, number}} minutes.',
} as const;
