/** What an organisation can set on a machine: some of the settings, and the connection. */
import { z } from 'zod';
import { Connection } from '../../../contract/connection.ts';
import { Period } from '../../../contract/hours.ts';
import {
  CacheLimit,
  Desktop,
  LogLevel,
  Network,
  ProxySettings,
  SignOutErases,
  Updates,
} from '../../../contract/office-settings.ts';
import { Preferences } from '../../../contract/preferences.ts';
import { isScope } from '../../../contract/scope.ts';
import { addressRefusal } from '../../../contract/service-address.ts';
import { LeaveRoom, LimitPeriod, UploadLimit } from '../../../contract/upload-limit.ts';
import { RedirectUri } from '../schema.ts';

/** Keys that the app does not know are refused, since a misspelt one would set nothing. */
const group = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject(shape).partial().optional();

const ServiceAddress = z
  .string()
  .refine((address) => addressRefusal('', address) === undefined, 'is not an https address of a service');

/** Each key is a setting that people cannot change while the policy has it. Absent: they can. */
export const Policy = z.strictObject({
  connection: group({
    baseUrl: ServiceAddress,
    authUrl: ServiceAddress,
    clientId: Connection.shape.clientId,
    redirectUri: RedirectUri,
    scope: z.string().refine(isScope, 'is not a scope'),
    sendClientIdOnRefresh: z.boolean(),
  }),
  network: group({
    proxy: ProxySettings.strict(),
    caFile: Network.shape.caFile.unwrap(),
  }),
  updates: group({ ...Updates.shape, address: Updates.shape.address.unwrap() }),
  desktop: group(Desktop.shape),
  uploads: group({
    limit: UploadLimit.extend({ schedule: z.array(LimitPeriod.strict()).max(20).readonly().default([]) }).strict(),
    leaveRoom: LeaveRoom,
    concurrency: Preferences.shape.concurrency,
    hours: z.array(Period.strict()).max(20).readonly(),
  }),
  cache: group({ limitMegabytes: CacheLimit }),
  signOut: group({ erases: SignOutErases }),
  log: group({ level: LogLevel }),
  sampleData: z.boolean().optional(),
});
export type Policy = Readonly<z.infer<typeof Policy>>;
