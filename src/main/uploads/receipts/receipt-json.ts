/** A receipt as JSON: one document, with one file per line. Times are ISO 8601 in UTC. */
import type { Receipt, ReceiptFile } from './receipt.ts';

/** The parts of the document, in order. */
export function* receiptJson({ job, senders, timeZone, counts, assignments }: Receipt): Generator<string> {
  const head = {
    service: job.service.baseUrl,
    sentBy: senders,
    created: new Date(job.madeAtMs).toISOString(),
    timeZone,
    ...counts,
    ...(job.part && { part: job.part }),
  };
  yield `${JSON.stringify(head).slice(0, -1)},"assignments":[`;
  yield* joined(assignments, function* ({ AssignmentId, summary, customer, folders }) {
    const target = {
      AssignmentId,
      address: summary?.Address,
      city: summary?.City,
      customer,
      facility: summary?.FacilityId,
    };
    yield `${JSON.stringify(target).slice(0, -1)},"folders":[`;
    yield* joined(folders, function* ({ batch, files }) {
      yield `${JSON.stringify({ batch: batch.batchId, folder: batch.root }).slice(0, -1)},"files":[`;
      yield* joined(files(), function* (file) {
        yield `\n${JSON.stringify(jsonFile(file))}`;
      });
      yield ']}';
    });
    yield ']}';
  });
  yield ']}\n';
}

const jsonFile = ({ path, fileName, sizeBytes, time, state, removed, problem, key, sha256 }: ReceiptFile) => ({
  file: path,
  FileName: fileName,
  size: sizeBytes,
  time,
  state,
  removed,
  problem,
  Key: key,
  sha256,
});

/** What `piecesOf` says of each of `values`, with commas between them. */
function* joined<T>(values: Iterable<T>, piecesOf: (value: T) => Iterable<string>): Generator<string> {
  let isFirst = true;
  for (const value of values) {
    if (!isFirst) yield ',';
    isFirst = false;
    yield* piecesOf(value);
  }
}
