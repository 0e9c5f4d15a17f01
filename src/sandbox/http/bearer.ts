/** The token of an `Authorization: Bearer` header (RFC 6750 section 2.1); undefined when there is none. */
export const bearerToken = (authorization: string | undefined): string | undefined =>
  authorization?.match(/^Bearer +([\w.~+/-]+=*)$/i)?.[1];
