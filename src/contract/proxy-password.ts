/** A proxy that requires a password before it lets anything through. */
import { z } from 'zod';

/** `proxy`: its host and port. `wrong`: it has rejected a password. */
export const WantedPassword = z.object({ proxy: z.string(), wrong: z.boolean() });
export type WantedPassword = Readonly<z.infer<typeof WantedPassword>>;

/** What a person enters for it. */
export const EnteredPassword = z.object({
  proxy: z.string().max(300),
  user: z.string().min(1).max(256),
  password: z.string().max(1_024),
});
export type EnteredPassword = Readonly<z.infer<typeof EnteredPassword>>;
