/** Records as no interface promises them: what a screen has to bear without breaking. */

type Fields = Readonly<Record<string, unknown>>;

/** Ids and Keys name the record in later requests; an odd one would only be a record that does not exist. */
const isName = (field: string): boolean => field === 'Key' || (field.endsWith('Id') && field !== 'FacilityId');

const mapFields = (record: Fields, change: (value: unknown, field: string) => unknown): Fields =>
  Object.fromEntries(
    Object.entries(record).map(([field, value]) => [field, isName(field) ? value : change(value, field)]),
  );

const withTexts =
  (text: string) =>
  (record: Fields): unknown =>
    mapFields(record, (value) => (typeof value === 'string' ? text : value));

/** The last field that is no id: without it the record is not of the interface's shape. */
const lastField = (record: Fields): string | undefined => Object.keys(record).findLast((field) => !isName(field));

/** Texts of odd records that stay readable. */
export const oddTexts = {
  long: 'x'.repeat(10_000),
  html: '<img src=x onerror="window.injected=1"><script>window.injected=1</script><b>bold</b>',
  rightToLeft: 'רחוב הנביאים 12, ירושלים',
  emoji: '👩‍👩‍👧‍👦🏠 1️⃣ 🇫🇮',
  control: 'one\u202Eowt\u202C\u0000\n\tthree',
} as const;

/** What becomes of the first records of an answer, in this order; of eight, three cannot be read. */
const oddities: readonly ((record: Fields) => unknown)[] = [
  withTexts(oddTexts.long),
  withTexts(oddTexts.html),
  (record) => mapFields(record, (value, field) => (field === lastField(record) ? undefined : value)),
  withTexts(oddTexts.rightToLeft),
  withTexts(oddTexts.emoji),
  (record) => mapFields(record, () => null),
  () => 17,
  (record) => mapFields(record, (value) => (typeof value === 'string' ? '' : typeof value === 'number' ? 1e20 : value)),
  withTexts(oddTexts.control),
];

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

const oddList = (records: readonly unknown[]): readonly unknown[] =>
  records.map((record, index) => (isFields(record) ? (oddities[index]?.(record) ?? record) : record));

/** An operation's answer with its first records made odd; of one that is a single record, its last field is null. */
export const withOddRecords = (answer: unknown): unknown => {
  if (Array.isArray(answer)) return oddList(answer);
  if (!isFields(answer)) return answer;
  const list = Object.keys(answer).find((field) => Array.isArray(answer[field]));
  if (list !== undefined) return { ...answer, [list]: oddList(answer[list] as readonly unknown[]) };
  return mapFields(answer, (value, field) => (field === lastField(answer) ? null : value));
};
