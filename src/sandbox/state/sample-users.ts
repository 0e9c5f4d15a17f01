/** The users who can sign in: the first one, unless a test selects the other. */

/** `sub`: the subject of the person's access tokens. */
export type SampleUser = { readonly sub: string; readonly name: string; readonly company: string };

const company = 'Nordlys Elektro AS';
const kari: SampleUser = { sub: 'user-4711', name: 'Kari Nordmann', company };
const ola: SampleUser = { sub: 'user-4712', name: 'Ola Hansen', company };

export type SampleUsers = {
  readonly present: () => SampleUser;
  /** Selects the user of later sign-ins; false if there is no such user. */
  readonly become: (sub: string) => boolean;
};

/** Starts with the first user. */
export const createSampleUsers = (): SampleUsers => {
  let present = kari;
  return {
    present: () => present,
    become: (sub) => {
      const found = [kari, ola].find((user) => user.sub === sub);
      present = found ?? present;
      return found !== undefined;
    },
  };
};
