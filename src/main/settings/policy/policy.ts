/** What an organisation can set on a machine: some of the settings, and the connection. */
import { z } from 'zod';
import { addressRefusal, Connection, isScope } from '../../../contract/connection.ts';
import { LeaveRoom, LimitPeriod, Period, UploadLimit } from '../../../contract/hours.ts';
import {
  CacheLimit,
  Desktop,
  LogLevel,
  Network,
  Preferences,
  ProxySettings,
  SignOutErases,
  Updates,
} from '../../../contract/preferences.ts';
import { RedirectUri } from '../schema.ts';

/** Keys that the app does not know are refused, since a misspelt one would set nothing. */
const group = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject(shape).partial().optional();

const ServiceAddress = z
  .string()
  .refine((address) => addressRefusal('', address) === undefined, 'is not an https address of a service');

/** Texts have an example: it is what a fault says about them, and editors show it. */
const like = <Schema extends z.ZodType>(schema: Schema, example: z.input<Schema>): Schema =>
  schema.meta({ examples: [example] });

/** Each key is a setting that people cannot change while the policy has it. Absent: they can. */
export const Policy = z.strictObject({
  connection: group({
    baseUrl: like(ServiceAddress, 'https://inspection.example.com'),
    authUrl: like(ServiceAddress, 'https://login.example.com'),
    clientId: like(Connection.shape.clientId, 'desk'),
    redirectUri: like(RedirectUri, 'com.inspectiondesk.app:/oauth/callback'),
    scope: like(z.string().refine(isScope, 'is not a scope'), 'openid offline_access'),
    sendClientIdOnRefresh: z.boolean(),
  }),
  network: group({
    proxy: ProxySettings.safeExtend({
      address: like(ProxySettings.shape.address, 'http://proxy.example.com:8080'),
      exceptions: like(ProxySettings.shape.exceptions, ['*.example.com', '10.0.0.0/8']),
    }).strict(),
    caFile: like(Network.shape.caFile.unwrap(), '/usr/local/share/office-ca.pem'),
  }),
  updates: group({
    ...Updates.shape,
    address: like(Updates.shape.address.unwrap(), 'https://updates.example.com/desk'),
  }),
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
