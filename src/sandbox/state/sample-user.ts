/** The one person who signs in at the sandbox; `sub` is the subject of every access token. */
export const sampleUser = { sub: 'user-4711', name: 'Kari Nordmann', company: 'Nordlys Elektro AS' } as const;
