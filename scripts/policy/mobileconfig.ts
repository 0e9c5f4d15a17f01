/** Creates the policy as a configuration profile of macOS, for MDM. */
import { XMLBuilder } from 'fast-xml-parser';

/** The domain of the app's managed preferences, as in electron-builder.yml. */
const DOMAIN = 'com.inspectiondesk.app';
/** The ids are fixed, so that the file changes only with its content. An MDM assigns its own ids. */
const [PROFILE_ID, PAYLOAD_ID] = ['8E6B2B0E-5C0B-4E0D-9C39-6F0A5D1F6C01', '8E6B2B0E-5C0B-4E0D-9C39-6F0A5D1F6C02'];

type Plain = string | number | boolean | readonly Plain[] | { readonly [key: string]: Plain };

const plist = (value: Plain): object => {
  if (typeof value === 'boolean') return { [String(value)]: [] };
  if (typeof value === 'number') return { integer: [{ '#text': value }] };
  if (typeof value === 'string') return { string: [{ '#text': value }] };
  if (isList(value)) return { array: value.map(plist) };
  return { dict: Object.entries(value).flatMap(([key, inner]) => [{ key: [{ '#text': key }] }, plist(inner)]) };
};

const isList = (value: Plain): value is readonly Plain[] => Array.isArray(value);

const xml = new XMLBuilder({ preserveOrder: true, format: true, suppressEmptyNode: true, ignoreAttributes: false });

/** Returns a profile for computers with `policy`. */
export const mobileconfig = (policy: { readonly [key: string]: Plain }): string => {
  const profile = plist({
    PayloadType: 'Configuration',
    PayloadVersion: 1,
    PayloadIdentifier: `${DOMAIN}.policy`,
    PayloadUUID: PROFILE_ID,
    PayloadDisplayName: 'Inspection Desk',
    PayloadScope: 'System',
    PayloadContent: [
      {
        PayloadType: DOMAIN,
        PayloadVersion: 1,
        PayloadIdentifier: `${DOMAIN}.policy.settings`,
        PayloadUUID: PAYLOAD_ID,
        ...policy,
      },
    ],
  });
  const head =
    '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">';
  return `${head}${xml.build([{ plist: [profile], ':@': { '@_version': '1.0' } }])}\n`;
};
