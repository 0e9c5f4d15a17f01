/**
 * Statuses after which no files are expected. The interface names only PENDING and leaves others open, so an unknown code
 * is no sign.
 */
const CLOSED = /^(cancell?ed|completed?|closed|finished|done|rejected|declined|archived)$/i;

export const isClosedStatus = (AssignmentStatus: string): boolean => CLOSED.test(AssignmentStatus);
