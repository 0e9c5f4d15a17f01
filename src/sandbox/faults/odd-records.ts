/** Records that break the interface's promises, to test that screens survive them. */

type Fields = Readonly<Record<string, unknown>>;

/** Ids and Keys stay unchanged: later requests name the record by them. */
const isName = (field: string): boolean => field === 'Key' || (field.endsWith('Id') && field !== 'FacilityId');

const mapFields = (record: Fields, change: (value: unknown, field: string) => unknown): Fields =>
  Object.fromEntries(
    Object.entries(record).map(([field, value]) => [field, isName(field) ? value : change(value, field)]),
  );

const withTexts =
  (text: string) =>
  (record: Fields): unknown =>
    mapFields(record, (value) => (typeof value === 'string' ? text : value));

/** The last field that is not an id. Without it the record does not have the interface's shape. */
const lastField = (record: Fields): string | undefined => Object.keys(record).findLast((field) => !isName(field));

/** Texts of odd records that stay readable. */
export const oddTexts = {
  long: 'x'.repeat(10_000),
  html: '<img src=x onerror="window.injected=1"><script>window.injected=1</script><b>bold</b>',
  rightToLeft: 'רחוב הנביאים 12, ירושלים',
  emoji: '👩‍👩‍👧‍👦🏠 1️⃣ 🇫🇮',
  control: 'one\u202Eowt\u202C\u0000\n\tthree',
} as const;

/** What is done to the first records of an answer, in this order. Three of the eight become unreadable. */
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

/** An operation's answer with its first records made odd. In a single record the last field becomes null. */
export const withOddRecords = (answer: unknown): unknown => {
  if (Array.isArray(answer)) return oddList(answer);
  if (!isFields(answer)) return answer;
  for (const [field, value] of Object.entries(answer))
    if (Array.isArray(value)) return { ...answer, [field]: oddList(value) };
  return mapFields(answer, (value, field) => (field === lastField(answer) ? null : value));
};
