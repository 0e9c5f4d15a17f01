import type { cli as english } from '../../english/host/cli.ts';
import type { Translation } from '../../translation.ts';

export const cli: Translation<typeof english> = {
  error: 'fel: {{text}} ({{code}})',
  hint: {
    connection: 'På kommandoraden: använd --base-url, --auth-url och --client-id.',
    scope: 'På kommandoraden: ange omfånget med --scope.',
    tokenStore: 'På kommandoraden: använd --token-store memory för att logga in för bara ett kommando.',
  },
  signIn: {
    openAddress: 'Öppna den här adressen i en webbläsare för att logga in:',
    inBrowser: 'Logga in i webbläsarfönstret som öppnas. Med --no-browser skrivs adressen ut i stället.',
    in: 'Inloggad.',
    inAs: 'Inloggad som {{subject}}.',
    out: 'Inte inloggad.',
  },
  service: 'Tjänst: {{address}}',
  noService: 'Ingen tjänst har angetts.',
  notOffline_one: 'Inte tillgängligt offline: {{count, number}} protokoll. Tjänsten gav inga användbara data.',
  notOffline_other: 'Inte tillgängliga offline: {{count, number}} protokoll. Tjänsten gav inga användbara data.',
  warning: {
    past: 'varning: {{at}} har redan passerat.',
    status: 'varning: uppdraget har statusen {{status}}.',
    other: 'varning: ”{{folder}}” innehåller {{found}}, som hör till {{name}}.',
  },
  mapProblem: {
    columns: 'rad {{line}}: en sökväg och ett uppdrag förväntas: {{text}}',
    'assignment-unknown': 'rad {{line}}: okänt uppdrag {{text}}',
    'path-outside': 'rad {{line}}: {{text}} ligger utanför mappen',
    'path-unmatched': 'rad {{line}}: ingenting passar {{text}}',
    'folder-twice': 'rad {{line}}: {{text}} har redan ett uppdrag',
  },
  match: {
    updating: 'Läser uppdragen: {{read, number}} av {{total, number}} listor',
    matching: 'Matchar mapparna',
    closed: 'varning: ”{{folder}}” hör till ett uppdrag med statusen {{status}}.',
    left_one: '{{count, number}} mapp har inget säkert uppdrag. Bestäm i appen, eller ange den i en mappningsfil.',
    left_other: '{{count, number}} mappar har inget säkert uppdrag. Bestäm i appen, eller ange dem i en mappningsfil.',
  },
  planAfter: {
    cleared: 'Datumet för ”planera efter” har tagits bort.',
    set: 'Planera efter: {{value}} ({{at}}).',
  },
  files: {
    found: '{{shown, number}} av {{files}}',
    removedOf: '{{done, number}} av {{files}} borttagna.',
    foundMore: '{{shown, number}} av fler än {{files}}',
    none: 'Inga filer. Listan innehåller filer som laddats upp från den här datorn och filer som tjänsten rapporterade när en fil togs bort.',
    removed_one: 'Borttagen. Uppdraget har nu {{count, number}} fil.',
    removed_other: 'Borttagen. Uppdraget har nu {{count, number}} filer.',
  },
  list: {
    page: '{{count, number}} av {{total, number}}, sida {{page}}',
    offline: 'Offlinedata, uppdaterade {{at}}.',
    unreadable_one: '{{count, number}} post kunde inte läsas.',
    unreadable_other: '{{count, number}} poster kunde inte läsas.',
  },
  upload: {
    planned: '{{files}}, {{size}}, {{renamed, number}} byter namn{{leftOut}}. Ingenting skickades.',
    noRecord: 'Uppgifterna om tidigare uppladdningar kan inte läsas, så namnen kan skilja sig.',
    scanning: 'Mappen genomsöks: {{files}} hittade, {{settled, number}} behandlade{{wait}}',
    of: '{{done}} av {{all}}',
    failed: '{{count, number}} misslyckades',
    skipped: '{{count, number}} hoppades över',
    waiting: 'väntar: {{reason}}',
    nextAttempt: 'Nästa försök {{at}}.',
    stopped: 'Stoppad. Fortsätt med: uploads resume {{id}}',
    cancelled: 'Avbruten.',
    cancelledStay_one: 'Avbruten. {{count, number}} uppladdad fil ligger kvar på uppdraget.',
    cancelledStay_other: 'Avbruten. {{count, number}} uppladdade filer ligger kvar på uppdraget.',
    summary:
      '{{done, number}} av {{files}} uppladdade{{skipped}}, {{failed, number}} misslyckades, {{size}} på {{seconds}} s{{leftOut}}',
    next: 'Visa alla: uploads show {{id}} --failed   Ladda upp igen: uploads retry {{id}}',
    leftOut:
      '; utelämnade: {{hidden, number}} dolda, {{system, number}} systemfiler, {{links, number}} länkar, {{special, number}} rör, socketar eller enheter, {{unreadable, number}} oläsbara',
    none: 'Inga uppladdningar ännu.',
    noneUnfinished: 'Inga oavslutade uppladdningar.',
    noneFailed: 'Inga misslyckade filer.',
    receipt: 'Kvittot för {{files}} sparades i {{path}}.',
  },
  verify: {
    progress: '{{done, number}} av {{files}} jämförda',
    verdict: {
      changed: 'ändrad',
      missing: 'saknas',
      unreadable: 'oläsbar',
      notUploaded: 'ej uppladdad',
    },
    summary: '{{same, number}} av {{files}} oförändrade',
  },
  file_one: '{{count, number}} fil',
  file_other: '{{count, number}} filer',
};
