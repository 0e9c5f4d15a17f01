/** Simulates a user with a browser on the provider's pages: cookies, forms, redirects. */

export type Person = {
  /**
   * Opens `url`, signs in as `login` if requested, and allows everything. Resolves to the address of the last redirect:
   * the app's callback.
   */
  readonly signInAt: (url: string, login?: string) => Promise<string>;
  /** Does what `signInAt` does, and then opens that address. */
  readonly browse: (url: string) => Promise<void>;
  /** Opens the page at `url`, and clicks "Cancel", which denies the request. */
  readonly cancelAt: (url: string) => Promise<string>;
  /** The prompts of the visited pages, in order. */
  readonly asked: readonly string[];
};

/** The maximum number of pages of a sign-in; more than any sign-in has. */
const MOST_STEPS = 20;

/** Creates a user of the provider with this issuer. The browser remembers who signed in. */
export const createPerson = (issuer: string): Person => {
  const cookies = new Map<string, string>();
  const asked: string[] = [];

  const request = async (url: string, form?: Readonly<Record<string, string>>): Promise<Response> => {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };

  const walk = async (url: string, decide: (page: string) => string | Readonly<Record<string, string>>) => {
    let response = await request(url);
    for (let step = 0; step < MOST_STEPS; step += 1) {
      const location = response.headers.get('location');
      if (location !== null) {
        const next = new URL(location, issuer).href;
        if (!next.startsWith(`${issuer}/`)) return next;
        response = await request(next);
        continue;
      }
      const page = await response.text();
      const action = /action="([^"]+)"/.exec(page)?.[1];
      if (action === undefined)
        throw new Error(`the provider shows an error: ${response.status} ${page.slice(0, 2000)}`);
      const decision = decide(page);
      response =
        typeof decision === 'string'
          ? await request(new URL(decision, issuer).href)
          : await request(new URL(action, issuer).href, decision);
    }
    throw new Error('the sign-in does not end');
  };

  const signInAt: Person['signInAt'] = (url, login = 'ani') =>
    walk(url, (page) => {
      const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? '';
      asked.push(prompt);
      return prompt === 'login' ? { prompt, login, password: 'any will do' } : { prompt };
    });

  return {
    asked,
    signInAt,
    browse: async (url) => void (await (await fetch(await signInAt(url))).text()),
    cancelAt: (url) => walk(url, (page) => /href="([^"]+\/abort)"/.exec(page)?.[1] ?? ''),
  };
};
