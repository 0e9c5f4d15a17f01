/** Streets, cities and counties that sample addresses are made of. */
import type { Random } from './prng.ts';

type Place = {
  readonly city: string;
  readonly county: string;
  /** `#` stands for a digit, `@` for a capital letter. */
  readonly zipPattern: string;
  readonly streets: readonly string[];
  readonly numberFirst?: boolean;
};

const norwegian = ['Storgata', 'Kirkegata', 'Strandveien', 'Fjellveien', 'Skolegata', 'Elveveien', 'Bjørnstads vei'];
const swedish = ['Vasagatan', 'Norra Hamngatan', 'Drottninggatan', 'Ängsvägen', 'Kungsgatan', 'Sjöbergsvägen'];
const finnish = ['Rantatie', 'Koulukatu', 'Mäkelänkatu', 'Itäinen Pitkäkatu', 'Satamakatu'];
const danish = ['Østergade', 'Nørrebrogade', 'Søndergade', 'Skovvej', 'Havnegade'];
const english = ['Mill Lane', 'Harbour Street', 'Station Road', 'Priory Close', 'Foundry Row', "St Mary's Walk"];

const places: readonly Place[] = [
  { city: 'Oslo', county: 'Oslo', zipPattern: '0#5#', streets: norwegian },
  { city: 'Bergen', county: 'Vestland', zipPattern: '50##', streets: norwegian },
  { city: 'Trondheim', county: 'Trøndelag', zipPattern: '70##', streets: norwegian },
  { city: 'Stavanger', county: 'Rogaland', zipPattern: '40##', streets: norwegian },
  { city: 'Bodø', county: 'Nordland', zipPattern: '80##', streets: norwegian },
  { city: 'Göteborg', county: 'Västra Götaland', zipPattern: '411 ##', streets: swedish },
  { city: 'Malmö', county: 'Skåne', zipPattern: '211 ##', streets: swedish },
  { city: 'Uppsala', county: 'Uppsala', zipPattern: '753 ##', streets: swedish },
  { city: 'Helsinki', county: 'Uusimaa', zipPattern: '00#50', streets: finnish },
  { city: 'Turku', county: 'Varsinais-Suomi', zipPattern: '20#00', streets: finnish },
  { city: 'Aarhus', county: 'Midtjylland', zipPattern: '80##', streets: danish },
  { city: 'York', county: 'North Yorkshire', zipPattern: 'YO## #@@', streets: english, numberFirst: true },
  { city: 'Leeds', county: 'West Yorkshire', zipPattern: 'LS# #@@', streets: english, numberFirst: true },
  { city: 'Bristol', county: 'Bristol', zipPattern: 'BS# #@@', streets: english, numberFirst: true },
];

/** An address as the interface's records carry it, with the county by which project assignments are listed. */
export type SampleAddress = {
  readonly Address: string;
  readonly City: string;
  readonly ZipCode: string;
  readonly county: string;
};

/** Draws an address in one of the sample cities. */
export const sampleAddress = (random: Random): SampleAddress => {
  const place = random.pick(places);
  const street = random.pick(place.streets);
  const number = `${random.integer(1, 148)}${random.chance(0.2) ? random.pick(['A', 'B', 'C']) : ''}`;
  return {
    Address: place.numberFirst ? `${number} ${street}` : `${street} ${number}`,
    City: place.city,
    ZipCode: place.zipPattern.replace(/[#@]/g, (sign) =>
      sign === '#' ? String(random.integer(0, 9)) : random.pick([...'ABDEFHJLNPQRSTUW']),
    ),
    county: place.county,
  };
};
