/** What people read when an upload, its preparation or a watched folder fails; shaped as errors.ts. */
export const uploadErrors = {
  'upload/folder-missing': {
    title: 'The folder {{path}} is no longer there.',
    todo: 'Put it back, or choose the folder again.',
  },
  'upload/folder-replaced': {
    title: 'The folder {{path}} has been moved or replaced since it was reviewed.',
    todo: 'Choose the folder again to review what is in it now, or put the original back and retry.',
  },
  'upload/folder-unreadable': {
    title: 'The folder {{path}} cannot be read.',
    todo: 'Check that you have access to it, then try again.',
  },
  'upload/not-a-folder': {
    title: 'This is a file, not a folder.',
    todo: 'Put it in a folder and upload the folder.',
  },
  'upload/file-missing': {
    title: 'The file {{path}} is no longer there.',
    todo: 'Put it back, then retry.',
  },
  'upload/file-unreadable': {
    title: 'The file {{path}} cannot be read.',
    todo: 'Check that you have access to it, then retry.',
  },
  'upload/file-locked': {
    title: 'The file {{path}} is in use by another program.',
    todo: 'Close it in that program, then retry.',
  },
  'upload/file-changed': {
    title: 'The file {{path}} changed after the folder was read.',
    todo: 'Finish editing it, then retry. The current version will be uploaded.',
  },
  'upload/file-linked': {
    title: 'The file {{path}} or its folder was replaced by a link.',
    todo: 'Put the original back, then retry. Links are not followed because they can lead outside the folder.',
  },
  'upload/interrupted': {
    title: 'The upload was interrupted.',
    todo: 'Resume it. Files that were uploaded are not sent again.',
  },
  'upload/stalled': {
    title: 'The upload stalled.',
    todo: 'Check the network connection and the drive that holds the file, then retry.',
  },
  'upload/unanswered': {
    title: 'The file storage did not confirm that it received the file.',
    todo: 'Retry. The file is never stored twice.',
  },
  'upload/unproven': {
    title: 'The file storage did not confirm the upload: something else responded in its place.',
    todo: 'A proxy, firewall or virus scanner between this computer and the storage may have taken the file. Contact your IT department, then retry. The file is never stored twice.',
  },
  'upload/not-arrived': {
    title: 'The file is not on the assignment, although its upload was confirmed.',
    todo: 'Retry. If the problem persists, something between this computer and the file storage may be responding in its place: contact your IT department.',
  },
  'upload/insecure-url': {
    title: 'The service returned an upload address that is not secure: {{host}}.',
    todo: 'Nothing was sent. Contact the administrator of the service.',
  },
  'upload/url-expired': {
    title: 'The permission to upload this file expired before the upload finished.',
    todo: 'Retry. If the problem persists, your connection may be too slow for this file.',
  },
  'upload/not-yet-valid': {
    title: 'The permission to upload this file is not yet valid.',
    todo: 'The clocks of the service and its file storage differ. Retry later, or contact the administrator of the service.',
  },
  'upload/clock-wrong': {
    title: 'The clock of this computer is wrong.',
    todo: 'Set the date and time of this computer, then retry.',
  },
  'upload/denied': {
    title: 'The file storage denied access.',
    todo: 'Retry. If the problem persists, contact the administrator of the service.',
  },
  'upload/refused': {
    title: 'The file storage rejected this file.',
    todo: 'Retry. If the problem persists, contact the administrator of the service.',
  },
  'upload/too-large': {
    title: 'The file {{path}} is too large for the service.',
    todo: 'Make it smaller, for example by splitting or compressing it, and upload it again.',
  },
  'upload/damaged': {
    title: 'The file failed its checksum repeatedly.',
    todo: 'Retry. If the problem persists, contact the administrator of the service.',
  },
  'upload/storage-failed': {
    title: 'The file storage reported an error.',
    todo: 'Retry later. Files that were uploaded are not sent again.',
  },
  'upload/uncertain': {
    title: 'It is unknown whether this file was uploaded.',
    todo: 'Check the assignment in the service. Retry if the file is missing.',
  },
  'upload/name-taken': {
    title: 'Another file on the assignment has this name.',
    todo: 'Upload the file again and choose to rename it or to replace the other file.',
  },
  'upload/batch-unknown': {
    title: 'This upload was not found on this computer.',
    todo: 'Check the list of uploads.',
  },
  'upload/batch-state': {
    title: 'This is not possible in the current state of the upload.',
    todo: 'Check the upload: it may have finished or been cancelled.',
  },
  'upload/cancelling': {
    title: 'This upload is being cancelled.',
    todo: 'Cancelling requires the service and the account that started the upload. If it is interrupted, it continues after the next sign-in.',
  },
  'upload/other-session': {
    title: 'This upload belongs to another account or service.',
    todo: 'Sign in with the account that started it.',
  },
  'upload/map-invalid': {
    title: 'The map file has mistakes in these lines: {{lines}}.',
    todo: 'Correct them and start again. Nothing was sent.',
  },
  'upload/hashing-stopped': {
    title: 'The file could not be read because of an error in the app.',
    todo: 'Retry. If the problem persists, send the log to your support team.',
  },
  'upload/engine-stopped': {
    title: 'Uploading has stopped because of an error in the app.',
    todo: 'Restart the app: uploads continue where they stopped. If the problem persists, send the log to your support team.',
  },
  'draft/missing': {
    title: 'No upload is being prepared.',
    todo: 'Choose the folders again.',
  },
  'draft/stopped': {
    title: 'The upload that you were preparing was lost.',
    todo: 'Nothing was uploaded. Choose the folders again. If the problem persists, send the log to your support team.',
  },
  'draft/changed': {
    title: 'The list of folders has changed in the meantime.',
    todo: 'Nothing was uploaded. More folders have been matched since you last saw it. Look at it again, then start the upload.',
  },
  'upload/scheduled': {
    title: 'This upload is scheduled for later.',
    todo: 'It is sent automatically at its time. Resume it to send it now.',
  },
  'watch/limit': {
    title: 'The system cannot report changes in so many folders.',
    todo: 'The folder is read at intervals instead, so new files are found later. Watch a smaller folder, or ask your administrator to raise the limit (fs.inotify.max_user_watches on Linux).',
  },
  'watch/overlaps': {
    title: 'This folder is already watched, or overlaps a watched folder.',
    todo: 'Choose another folder, or remove the other one from the watched folders first.',
  },
  'watch/unknown': {
    title: 'This folder is no longer watched.',
    todo: 'Check the list of watched folders.',
  },
} as const;
