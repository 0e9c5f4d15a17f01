/** What the pages of a sign-in say, in the languages of the app. */
import { Language } from '../../contract/preferences.ts';

type ConsentWords = {
  readonly title: string;
  /** Follows the name of the application, and is followed by the person's. */
  readonly asks: string;
  readonly allow: string;
  readonly deny: string;
  readonly refused: string;
  readonly startAgain: string;
  readonly reason: {
    readonly client: string;
    readonly redirect: string;
    readonly expired: string;
  };
};

/** Why a request is refused on a page instead of at its redirect_uri. */
export type RefusalReason = keyof ConsentWords['reason'];

/** The words in the first language of `acceptLanguage` (RFC 9110 section 12.5.4); in English where the app has none. */
export const consentWords = (acceptLanguage = ''): { readonly language: Language; readonly words: ConsentWords } => {
  const language = Language.safeParse(acceptLanguage.trim().slice(0, 2).toLowerCase()).data ?? 'en';
  return { language, words: catalog[language] };
};

const catalog: Readonly<Record<Language, ConsentWords>> = {
  en: {
    title: 'Sign in to Sample Inspection Service',
    asks: 'asks to work with the inspections and documents of:',
    allow: 'Allow',
    deny: 'Deny',
    refused: 'This sign-in cannot continue',
    startAgain: 'Close this page and start again in the application.',
    reason: {
      client: 'The application (client_id) is not known here.',
      redirect: 'The return address (redirect_uri) is not registered for this application.',
      expired: 'This page has expired or was answered before.',
    },
  },
  sv: {
    title: 'Logga in i Sample Inspection Service',
    asks: 'vill arbeta med besiktningar och dokument för:',
    allow: 'Tillåt',
    deny: 'Neka',
    refused: 'Inloggningen kan inte fortsätta',
    startAgain: 'Stäng sidan och börja om i programmet.',
    reason: {
      client: 'Programmet (client_id) är okänt här.',
      redirect: 'Returadressen (redirect_uri) är inte registrerad för programmet.',
      expired: 'Sidan har gått ut eller har redan besvarats.',
    },
  },
  de: {
    title: 'Bei Sample Inspection Service anmelden',
    asks: 'möchte auf die Prüfungen und Dokumente dieser Person zugreifen:',
    allow: 'Zulassen',
    deny: 'Ablehnen',
    refused: 'Diese Anmeldung kann nicht fortgesetzt werden',
    startAgain: 'Schließen Sie diese Seite, und beginnen Sie in der Anwendung von vorn.',
    reason: {
      client: 'Die Anwendung (client_id) ist hier nicht bekannt.',
      redirect: 'Die Rücksprungadresse (redirect_uri) ist für diese Anwendung nicht registriert.',
      expired: 'Diese Seite ist abgelaufen oder wurde bereits beantwortet.',
    },
  },
};
