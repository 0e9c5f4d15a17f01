import type { Decision } from './driver.ts';

/** Decides on the consent page at `authorizeUrl`, as a browser would. Resolves to the address of the redirect. */
export const decideOverHttp = async (authorizeUrl: string, decision: Decision): Promise<string> => {
  const page = await (await fetch(authorizeUrl)).text();
  const request = /name="request" value="([^"]+)"/.exec(page)?.[1];
  if (request === undefined) throw new Error(`not the consent page: ${page}`);
  const answer = await fetch(new URL('consent', authorizeUrl), {
    method: 'POST',
    body: new URLSearchParams({ request, decision }),
    redirect: 'manual',
  });
  return answer.headers.get('location') ?? '';
};
