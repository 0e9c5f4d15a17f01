/** The command `doctor`: checks this computer, the network and the service, and saves a file for support. */
import { resolve } from 'node:path';
import type { DoctorCheck, DoctorReport } from '../../../../contract/doctor.ts';
import { DeskError, fromErrorData } from '../../../../contract/errors.ts';
import { crashText, foundText, speakCheck } from '../../../../words/doctor-text.ts';
import { createHostSpeech } from '../../../../words/speech.ts';
import { checkComputer, runCheck } from '../../../core/doctor/checks.ts';
import { reportOf } from '../../../core/doctor/doctor.ts';
import { isUncheckedTls } from '../../../net/trust.ts';
import { EXIT } from '../../shared/exit-codes.ts';
import { describeError, formatTable, usage } from '../support/output.ts';
import { type CliContext, createCliHost, version, withDesk } from '../support/with-desk.ts';

type DoctorOptions = { readonly bundle?: string; readonly crashDumps?: boolean };

/**
 * Runs the checks of the doctor, without signing in. Returns `EXIT.failures` if a check failed. `bundle`: the path of a
 * zip file for support. `crashDumps`: whether the zip file includes crash dumps.
 */
export const doctor = async (
  context: CliContext,
  { bundle, crashDumps = false }: DoctorOptions = {},
): Promise<number> => {
  if (crashDumps && bundle === undefined) throw usage('crashDumps');
  const { output } = context;
  const { speech } = output;
  const { t } = speech;
  const report = await examine(context, bundle, crashDumps);
  const english = await createHostSpeech('en');
  const { ok, node, platform, checks } = report;
  // Scripts get English texts, whatever the user's language.
  const about = ({ found }: DoctorCheck) => found && { about: foundText(found, english) };
  output.result({ ...report, checks: checks.map((one) => ({ ...one, ...about(one) })) }, () => [
    `Inspection Desk ${version}, Node ${node}, ${platform}`,
    ...formatTable(
      checks.map((one) => ({ one, spoken: speakCheck(one, speech) })),
      [
        { title: t('cli.doctor.check'), cell: ({ spoken }) => spoken.check, whole: true },
        { title: t('cli.doctor.verdict'), cell: ({ spoken }) => spoken.verdict },
        { title: t('cli.doctor.time'), cell: ({ one }) => `${one.ms} ms` },
        // The problems are printed below the table, in whole sentences.
        { title: t('cli.doctor.found'), cell: ({ one, spoken }) => one.error?.code ?? spoken.found, whole: true },
      ],
    ),
    ...report.crashDumps.map((one) => crashText(one, speech)),
  ]);
  // Problems of stored data were reported when the data was opened.
  const todos = checks.flatMap(({ check, error }) =>
    error && check !== 'stored data' ? [describeError(fromErrorData(error), speech)] : [],
  );
  for (const todo of new Set(todos)) output.say(todo);
  return ok ? EXIT.done : EXIT.failures;
};

const examine = async (context: CliContext, bundle: string | undefined, crashDumps: boolean): Promise<DoctorReport> => {
  const { signal } = context;
  let report: DoctorReport | undefined;
  try {
    await withDesk(context, async (desk) => {
      const path = bundle === undefined ? undefined : await desk.fileToWrite(resolve(context.cwd, bundle));
      report = await desk.doctor.run(signal);
      if (path !== undefined) await desk.doctor.saveBundle(path, { crashDumps });
      return EXIT.done;
    });
  } catch (error) {
    if (report !== undefined || bundle !== undefined || signal.aborted || !(error instanceof DeskError)) throw error;
    // The data directory cannot be opened, so the checks that need it are omitted.
    const data = await runCheck('data directory', signal, () => {
      throw error;
    });
    const computer = { ...createCliHost(context), uncheckedTls: isUncheckedTls(context.env) };
    return reportOf(version, [...(await checkComputer(computer, signal)), data], []);
  }
  if (report === undefined) throw new Error('no report');
  return report;
};
