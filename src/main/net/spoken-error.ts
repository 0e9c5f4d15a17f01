/** Reads a server's error message. The interface does not describe error bodies ("Errors"), so common shapes are accepted. */
import { z } from 'zod';
import { redact } from './redact.ts';

const longestChars = 300;

/** One short line, without secrets of the request that a server may echo. */
const tidy = (value: string): string =>
  redact(value)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, longestChars);

const text = z
  .union([z.string(), z.number()])
  .transform((value) => tidy(String(value)))
  .optional()
  .catch(undefined);

const Shape = z.object({
  error: text,
  error_description: text,
  code: text,
  Code: text,
  message: text,
  Message: text,
  // RFC 9457: `type` is a URL for the kind of problem and is left out; `detail` describes this one.
  title: text,
  detail: text,
});

const Nested = z.object({ error: Shape });

const parse = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};

/**
 * The code and the message of an error body: `{error:{code,message}}`, `{error,error_description}` (RFC 6749),
 * `{code,message}`, `{Message}` or a problem (RFC 9457); each at most 300 characters. Empty for anything else.
 */
export const spokenError = (body: string): { readonly error?: string; readonly message?: string } => {
  const json = parse(body);
  const shape = Nested.safeParse(json).data?.error ?? Shape.safeParse(json).data;
  const error = shape?.code || shape?.Code || shape?.error || shape?.title;
  const message = shape?.message || shape?.Message || shape?.error_description || shape?.detail;
  return { ...(error ? { error } : {}), ...(message ? { message } : {}) };
};
