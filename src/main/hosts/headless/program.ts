/** The commands and their options (docs: the command line). Each answers its exit code. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { DeskError } from '../../../contract/errors.ts';
import { NameTemplate } from '../../../contract/names.ts';
import { PageNumber } from '../../../contract/resources.ts';
import type { Speech } from '../../../words/speech.ts';
import type { ReportFormat } from '../../uploads/engine/report.ts';
import { type Stream, writeText } from '../shared/terminal-text.ts';
import * as assignment from './commands/assignment.ts';
import { doctor } from './commands/doctor.ts';
import * as reads from './commands/reads.ts';
import * as session from './commands/session.ts';
import { upload } from './commands/upload.ts';
import * as uploads from './commands/uploads.ts';
import { verify } from './commands/verify.ts';
import { type CliParts, version } from './support/cli-host.ts';
import type { CommonOptions, Environment } from './support/cli-options.ts';
import { createOutput, type Output } from './support/output.ts';
import type { CliContext } from './support/with-desk.ts';

type ProgramOptions = {
  readonly env: Environment;
  readonly speech: Speech<'host'>;
  readonly signal: AbortSignal;
  readonly stdout: Stream;
  readonly stderr: Stream;
  readonly parts: CliParts;
  readonly onHang: () => void;
  /** Called with the exit code of the command that ran. */
  readonly onExit: (code: number) => void;
};

/** An action with the common options of wherever on the line they stood, for commander to call. */
type Run = <A extends readonly unknown[]>(
  action: (context: CliContext, ...args: A) => Promise<number>,
) => (...all: readonly unknown[]) => Promise<void>;

/** The parser of the command line. It throws `CommanderError` for what it refuses, and what the commands throw. */
export const createProgram = ({
  env,
  speech,
  signal,
  stdout,
  stderr,
  parts,
  onHang,
  onExit,
}: ProgramOptions): Command => {
  const program = new Command('inspection-desk')
    .description('Browse inspection protocols and upload folders of documents to assignments.')
    .version(version)
    // Before the commands, which inherit them.
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => writeText(stdout, text),
      writeErr: (text) => writeText(stderr, text),
      // Whoever catches it says it, in the words of all errors.
      outputError: () => {},
    })
    .option('--home <dir>', 'data directory (also INSPECTION_DESK_HOME)')
    .option('--base-url <url>', 'address of the service (also INSPECTION_DESK_BASE_URL)')
    .option('--auth-url <url>', 'sign-in address (also INSPECTION_DESK_AUTH_URL)')
    .option('--client-id <id>', 'client ID (also INSPECTION_DESK_CLIENT_ID)')
    .option(
      '--redirect-uri <uri>',
      'registered redirect URI, http://127.0.0.1[:port]/path (also INSPECTION_DESK_REDIRECT_URI)',
    )
    .option('--scope <words>', 'scope of the sign-in, if the service requires one (also INSPECTION_DESK_SCOPE)')
    .addOption(new Option('--token-store <store>', 'where to store tokens').choices(['keychain', 'memory']))
    .option('--no-browser', 'print the sign-in address instead of opening it')
    .option('--json', 'print JSON');

  const run: Run =
    <A extends readonly unknown[]>(action: (context: CliContext, ...args: A) => Promise<number>) =>
    async (...all) => {
      const command = all.at(-1) as Command;
      const options: CommonOptions = command.optsWithGlobals();
      const output: Output = createOutput(options.json === true, stdout, stderr, speech);
      onExit(await action({ options, env, output, parts, signal, onHang }, ...(all.slice(0, -1) as unknown as A)));
    };

  addSessionCommands(program, run);
  addReadCommands(program, run);
  addAssignmentCommands(program, run);
  addUploadCommands(program, run);
  program
    .command('sandbox')
    .description('run the embedded sample service (sandbox --help shows its options)')
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async (_options: unknown, { args }: Command) => {
      const { runSandbox } = await import('../../../sandbox/run.ts');
      onExit(await runSandbox(args));
    });
  program.command('doctor').description('check that the app can work on this computer').action(run(doctor));
  return program;
};

const addSessionCommands = (program: Command, run: Run): void => {
  program.command('login').description('sign in and save the connection').action(run(session.login));
  program.command('logout').description('sign out and delete the stored session').action(run(session.logout));
  program.command('status').description('show the connection and the session').action(run(session.status));
};

const addReadCommands = (program: Command, run: Run): void => {
  program
    .command('protocols')
    .description('list compiled inspection protocols')
    .option('--query <text>', 'search text')
    .addOption(new Option('--page <n>', 'only this page, numbered as the service does').argParser(page))
    .addOption(new Option('--all', 'all pages in one list').conflicts('page'))
    .option('--offline', 'read offline data only')
    .action(run(reads.protocols));
  program
    .command('assignments')
    .description('list the assignments of a protocol, or assignments for projects')
    .option('--protocol <id>', 'ID of the protocol')
    .addOption(new Option('--projects', 'assignments for projects').conflicts('protocol'))
    .addOption(
      new Option('--county <name>', 'projects in this county only').implies({ projects: true }).conflicts('protocol'),
    )
    .option('--offline', 'read offline data only')
    .action(
      run((context, options: Parameters<typeof reads.assignments>[1] & { readonly projects?: boolean }) => {
        if (options.protocol === undefined && !options.projects)
          throw usage('either --protocol or --projects is required');
        return reads.assignments(context, options);
      }),
    );
  program
    .command('points')
    .description('list the inspection points of a protocol')
    .requiredOption('--protocol <id>', 'ID of the protocol')
    .option('--offline', 'read offline data only')
    .action(run(reads.points));
  program
    .command('events')
    .description('list orderable events')
    .option('--offline', 'read offline data only')
    .action(run(reads.events));
};

const addAssignmentCommands = (program: Command, run: Run): void => {
  program
    .command('plan-after <assignment-id> [value]')
    .description('set the plan-after date of an assignment, as a number in the time unit of the service')
    .option('--clear', 'clear the date')
    .action(
      run((context, id: string, value: string | undefined, { clear }: { readonly clear?: boolean }) => {
        if ((value === undefined) !== (clear === true)) throw usage('either a value or --clear is required');
        return assignment.planAfter(context, id, value === undefined ? undefined : numeric(value));
      }),
    );
  const files = program.command('files').description('list or remove files of an assignment');
  files
    .command('list <assignment-id>', { isDefault: true })
    .description('list files uploaded from this computer or reported by the service')
    .action(run((context, id: string) => assignment.files(context, id)));
  files
    .command('remove <assignment-id> <key>')
    .description('remove a file from an assignment')
    .action(run((context, id: string, key: string) => assignment.removeFile(context, id, key)));
};

const addUploadCommands = (program: Command, run: Run): void => {
  program
    .command('upload <folder...>')
    .description('upload folders to an assignment, each file exactly once')
    .requiredOption('--assignment <id>', 'ID of the assignment')
    .option('--dry-run', 'list the files and their names without uploading anything')
    .addOption(
      new Option('--name-template <text>', `file names: {name}, '{folder} - {name}' or {path}`).argParser(nameTemplate),
    )
    .addOption(new Option('--concurrency <n>', 'files uploaded at once, or auto').argParser(concurrency))
    .addOption(new Option('--limit-rate <bytes>', 'maximum bytes per second').argParser(positive))
    .action(run(upload));

  const batches = program.command('uploads').description('list and manage uploads from this computer');
  batches
    .command('list', { isDefault: true })
    .description('list all uploads')
    .allowExcessArguments()
    .action(async (options: unknown, command: Command) => {
      // The default command gets what is meant for another.
      if (command.args.length > 0) throw usage(`unknown command 'uploads ${command.args[0]}'`);
      await run(uploads.list)(options, command);
    });
  batches
    .command('show <batch>')
    .description('show an upload and its files')
    .option('--failed', 'failed files only')
    .action(run(uploads.show));
  batches
    .command('resume [batch]')
    .description('resume an upload, or all unfinished uploads')
    .action(run((context, id: string | undefined) => uploads.resume(context, id)));
  batches
    .command('retry [batch]')
    .description('retry the failed files of an upload, or of all uploads')
    .action(run((context, id: string | undefined) => uploads.retry(context, id)));
  batches
    .command('cancel <batch>')
    .description('cancel an upload; uploaded files stay on the assignment')
    .action(run((context, id: string) => uploads.cancel(context, id)));
  batches
    .command('report <batch>')
    .description('write a receipt that lists every file with its Key and sha256')
    .requiredOption('--out <file>', 'output file')
    .addOption(new Option('--format <format>', 'default: taken from the file extension').choices(['csv', 'json']))
    .action(
      run((context, id: string, { out, format }: { readonly out: string; readonly format?: ReportFormat }) =>
        uploads.report(context, id, out, format),
      ),
    );
  batches
    .command('verify <batch>')
    .description('compare the files on disk with what was uploaded')
    .action(run((context, id: string) => verify(context, id)));
};

const usage = (message: string): DeskError => new DeskError('input/invalid', message);

const numeric = (text: string): number => {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw usage('the value must be a number');
  return value;
};
const page = (text: string): number => {
  const parsed = PageNumber.safeParse(/^\d+$/.test(text) ? Number(text) : undefined);
  if (!parsed.success) throw new InvalidArgumentError('a page number is required');
  return parsed.data;
};
const positive = (text: string): number => {
  if (!/^\d+$/.test(text) || Number(text) === 0)
    throw new InvalidArgumentError('a whole number greater than 0 is required');
  return Number(text);
};
const nameTemplate = (text: string): string => {
  if (NameTemplate.safeParse(text).success) return text;
  throw new InvalidArgumentError(
    'it must contain {name} or {path} once, and otherwise only {folder} and characters allowed in file names',
  );
};
/** A word of its own for `auto`: commander takes an option whose parser answers nothing for one without a value. */
const concurrency = (text: string): number | 'auto' => (text === 'auto' ? text : positive(text));
