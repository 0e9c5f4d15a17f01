/** Who uploads, pending changes and sessions belong to. */

/**
 * A connection and, if the access token names one, a user. `connectionId`: the key under which tokens, batches and offline
 * data of a connection are stored.
 */
export type Owner = { readonly connectionId: string; readonly subject?: string | undefined };

/** Whether both may be the same user: an unknown user may be anyone. */
export const isSameUser = (one: Pick<Owner, 'subject'>, other: Pick<Owner, 'subject'>): boolean =>
  one.subject === undefined || other.subject === undefined || one.subject === other.subject;

/** Whether what belongs to `owner` may be used by `user`. */
export const isOwnedBy = (owner: Owner, user: Owner): boolean =>
  owner.connectionId === user.connectionId && isSameUser(owner, user);
