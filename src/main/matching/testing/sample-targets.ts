/** For tests: assignments and protocols, each with a number that its ids are made of, and rules. */

import type { UnreadProtocol } from '../match-index.ts';
import type { MatchTarget } from '../targets.ts';
import { type FolderName, type Rules, ruleName } from '../targets.ts';

/** The AssignmentId of the assignment with this number. */
export const idOf = (number: number): string => `a${String(number).padStart(7, '0')}-1111-4111-8111-111111111111`;

/** Returns an assignment at `Address`. */
export const targetAt = (
  number: number,
  Address: string,
  City: string,
  more: Partial<MatchTarget> = {},
): MatchTarget => ({
  AssignmentId: idOf(number),
  FacilityId: `FAC-${100_000 + number}`,
  AssignmentStatus: 'PENDING',
  FirstName: 'Ola',
  LastName: 'Strømsnes',
  Address,
  City,
  Performer: 'Nordlys Elektro AS',
  StartTime: Date.UTC(2026, 4, 12, 9) / 1000,
  ...more,
});

/** Returns an unread protocol at `Address`. */
export const protocolAt = (
  number: number,
  Address: string,
  City: string,
  more: Partial<UnreadProtocol> = {},
): UnreadProtocol => ({
  InspectionProtocolId: `c${String(number).padStart(7, '0')}-3333-4333-8333-333333333333`,
  FacilityId: `FAC-${500_000 + number}`,
  Address,
  City,
  ZipCode: '',
  ...more,
});

/** Returns the rules that a user's choices make. `chosen`: the choices, the last one first. */
export const rulesFor = (...chosen: readonly (FolderName & { readonly AssignmentId: string })[]): Rules =>
  Map.groupBy(
    chosen.flatMap(({ AssignmentId, ...folder }) => {
      const name = ruleName(folder);
      return name === undefined ? [] : [{ ...name, AssignmentId }];
    }),
    ({ key }) => key,
  );

const august = Date.UTC(2026, 7, 20, 9) / 1000;

/** Houses in many countries; 20 and 21 are at one address, and so are 22 and 23. */
export const SAMPLE: readonly MatchTarget[] = [
  targetAt(1, 'Elveveien 97', 'Bergen', { FirstName: 'Kari', LastName: 'Nordmann', ZipCode: '5003' }),
  targetAt(2, '109 Station Road', 'York', { FirstName: 'Amelia', LastName: 'Whitaker', ZipCode: 'YO10 5DD' }),
  targetAt(3, 'Bjørnstads vei 59', 'Oslo'),
  targetAt(4, 'Norra Hamngatan 12C', 'Göteborg'),
  targetAt(5, 'Södra Hamngatan 14', 'Göteborg'),
  targetAt(6, 'Itäinen Pitkäkatu 5', 'Turku'),
  targetAt(7, 'Storgata 12', 'Bergen'),
  targetAt(8, 'Storgata 12', 'Oslo'),
  targetAt(9, '5 Mill Lane', 'Leeds'),
  targetAt(10, 'Hauptstraße 45', 'Köln'),
  targetAt(11, 'Elveveien 9', 'Bergen'),
  targetAt(12, "12 St Mary's Walk", 'York'),
  targetAt(13, 'Ängsvägen 33', 'Uppsala'),
  targetAt(14, 'Mäkelänkatu 129 C', 'Helsinki'),
  targetAt(15, 'Østergade 8', 'Aarhus', { ZipCode: '8000' }),
  targetAt(16, '14 Rue du Faubourg Saint-Honoré', 'Paris'),
  targetAt(17, 'Via Giuseppe Garibaldi 21', 'Torino'),
  targetAt(18, 'Prins Hendrikkade 33', 'Amsterdam', { ZipCode: '1012 TM' }),
  targetAt(19, 'Christian Michelsens gate 4', 'Bergen'),
  targetAt(20, 'Kirkegata 3', 'Bodø', { FirstName: 'Ingrid', LastName: 'Haugen' }),
  targetAt(21, 'Kirkegata 3', 'Bodø', { LastName: 'Lindqvist', Performer: 'Fjord Bygg', StartTime: august }),
  targetAt(22, 'Skovvej 70', 'Odense', { AssignmentStatus: 'CANCELLED' }),
  targetAt(23, 'Skovvej 70', 'Odense'),
  targetAt(24, 'Nygårdsgaten 97-99', 'Bergen'),
  targetAt(25, '17. mai gate 8', 'Drammen'),
  targetAt(26, 'Drottninggatan 55', 'Malmö'),
  targetAt(27, 'Flat 3, 31 Priory Close', 'Bristol'),
  targetAt(28, 'Flat 4, 31 Priory Close', 'Bristol'),
  targetAt(29, 'Solbakken', 'Voss'),
  targetAt(30, 'Am Kettnersbusch 29', 'Leverkusen', { InspectionProtocolId: 'b0000030-2222-4222-8222-222222222222' }),
  targetAt(31, '31 The Avenue', 'Leeds'),
  targetAt(32, 'Vanha Turuntie 11', 'Espoo'),
  targetAt(33, 'Höhenstraße 2', 'Fürth'),
  targetAt(34, 'Trädgårdsgatan 7', 'Uppsala'),
];
