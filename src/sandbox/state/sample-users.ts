/** Who signs in at the sandbox: the first one, unless a test asks for the other. */

/** `sub`: the subject of the person's access tokens. */
export type SampleUser = { readonly sub: string; readonly name: string; readonly company: string };

const company = 'Nordlys Elektro AS';
const kari: SampleUser = { sub: 'user-4711', name: 'Kari Nordmann', company };
const ola: SampleUser = { sub: 'user-4712', name: 'Ola Hansen', company };

export type SampleUsers = {
  readonly present: () => SampleUser;
  /** From the next sign-in on; false where there is no such person. */
  readonly become: (sub: string) => boolean;
};

/** The first person signs in until `become` says otherwise. */
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
