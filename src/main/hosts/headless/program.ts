/** The commands and their options (docs: the command line). Each answers its exit code. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { DeskError } from '../../../contract/errors.ts';
import { NameTemplate } from '../../../contract/names.ts';
import { PageNumber } from '../../../contract/resources.ts';
import type { ReportFormat } from '../../uploads/engine/report.ts';
import { type Stream, writeText } from '../shared/terminal-text.ts';
import { type CliParts, version } from './cli-host.ts';
import type { CommonOptions, Environment } from './cli-options.ts';
import * as assignment from './commands/assignment.ts';
import { doctor } from './commands/doctor.ts';
import * as reads from './commands/reads.ts';
import * as session from './commands/session.ts';
import { upload } from './commands/upload.ts';
import * as uploads from './commands/uploads.ts';
import { verify } from './commands/verify.ts';
import { createOutput, type Output } from './output.ts';
import type { CliContext } from './with-desk.ts';

export type ProgramOptions = {
  readonly env: Environment;
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
export const createProgram = ({ env, signal, stdout, stderr, parts, onHang, onExit }: ProgramOptions): Command => {
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
    .option('--auth-url <url>', 'address of the sign-in (also INSPECTION_DESK_AUTH_URL)')
    .option('--client-id <id>', 'client id (also INSPECTION_DESK_CLIENT_ID)')
    .option(
      '--redirect-uri <uri>',
      'registered redirect, http://127.0.0.1[:port]/path (also INSPECTION_DESK_REDIRECT_URI)',
    )
    .option('--scope <words>', 'scope to sign in with, if the service needs one (also INSPECTION_DESK_SCOPE)')
    .addOption(new Option('--token-store <store>', 'where tokens are kept').choices(['keychain', 'memory']))
    .option('--no-browser', 'print the sign-in address instead of opening it')
    .option('--json', 'print JSON');

  const run: Run =
    <A extends readonly unknown[]>(action: (context: CliContext, ...args: A) => Promise<number>) =>
    async (...all) => {
      const command = all.at(-1) as Command;
      const options: CommonOptions = command.optsWithGlobals();
      const output: Output = createOutput(options.json === true, stdout, stderr);
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
  program.command('doctor').description('check whether this computer has what the app needs').action(run(doctor));
  return program;
};

const addSessionCommands = (program: Command, run: Run): void => {
  program.command('login').description('sign in, and remember the connection').action(run(session.login));
  program.command('logout').description('forget the stored sign-in').action(run(session.logout));
  program.command('status').description('who is signed in, and where').action(run(session.status));
};

const addReadCommands = (program: Command, run: Run): void => {
  program
    .command('protocols')
    .description('list compiled inspection protocols')
    .option('--query <text>', 'search text')
    .addOption(new Option('--page <n>', 'one page, as the service counts them').argParser(page))
    .addOption(new Option('--all', 'all pages joined').conflicts('page'))
    .option('--offline', 'from the cache')
    .action(run(reads.protocols));
  program
    .command('assignments')
    .description('list the assignments of a protocol, or those for projects')
    .option('--protocol <id>', 'of this protocol')
    .addOption(new Option('--projects', 'for projects').conflicts('protocol'))
    .addOption(
      new Option('--county <name>', 'for projects in this county').implies({ projects: true }).conflicts('protocol'),
    )
    .option('--offline', 'from the cache')
    .action(
      run((context, options: Parameters<typeof reads.assignments>[1] & { readonly projects?: boolean }) => {
        if (options.protocol === undefined && !options.projects)
          throw usage('one of --protocol and --projects is needed');
        return reads.assignments(context, options);
      }),
    );
  program
    .command('points')
    .description('list the inspection points of a protocol')
    .requiredOption('--protocol <id>', 'of this protocol')
    .option('--offline', 'from the cache')
    .action(run(reads.points));
  program
    .command('events')
    .description('list orderable events')
    .option('--offline', 'from the cache')
    .action(run(reads.events));
};

const addAssignmentCommands = (program: Command, run: Run): void => {
  program
    .command('plan-after <assignment-id> [value]')
    .description('set the plan-after value of an assignment, in the time base of the service')
    .option('--clear', 'clear it')
    .action(
      run((context, id: string, value: string | undefined, { clear }: { readonly clear?: boolean }) => {
        if ((value === undefined) !== (clear === true)) throw usage('either a value or --clear is needed');
        return assignment.planAfter(context, id, value === undefined ? undefined : numeric(value));
      }),
    );
  const files = program.command('files').description('files known to be on an assignment');
  files
    .command('list <assignment-id>', { isDefault: true })
    .description('uploaded here, or seen at a removal')
    .action(run((context, id: string) => assignment.files(context, id)));
  files
    .command('remove <assignment-id> <key>')
    .description('remove a file from its assignment')
    .action(run((context, id: string, key: string) => assignment.removeFile(context, id, key)));
};

const addUploadCommands = (program: Command, run: Run): void => {
  program
    .command('upload <folder...>')
    .description('upload folders to an assignment, each file exactly once')
    .requiredOption('--assignment <id>', 'to this assignment')
    .option('--dry-run', 'show what would be sent, and under which names')
    .addOption(
      new Option('--name-template <text>', `FileNames: {name}, '{folder} - {name}', {path}`).argParser(nameTemplate),
    )
    .addOption(new Option('--concurrency <n>', 'files at once, or auto').argParser(concurrency))
    .addOption(new Option('--limit-rate <bytes>', 'bytes per second at most').argParser(positive))
    .action(run(upload));

  const batches = program.command('uploads').description('the uploads of this computer');
  batches
    .command('list', { isDefault: true })
    .description('all of them')
    .allowExcessArguments()
    .action(async (options: unknown, command: Command) => {
      // The default command gets what is meant for another.
      if (command.args.length > 0) throw usage(`unknown command 'uploads ${command.args[0]}'`);
      await run(uploads.list)(options, command);
    });
  batches
    .command('show <batch>')
    .description('one and its files')
    .option('--failed', 'failed files only')
    .action(run(uploads.show));
  batches
    .command('resume [batch]')
    .description('go on with one, or with all that are not finished')
    .action(run((context, id: string | undefined) => uploads.resume(context, id)));
  batches
    .command('retry [batch]')
    .description('offer failed files again')
    .action(run((context, id: string | undefined) => uploads.retry(context, id)));
  batches
    .command('cancel <batch>')
    .description('give up what was not uploaded')
    .action(run((context, id: string) => uploads.cancel(context, id)));
  batches
    .command('report <batch>')
    .description('write a receipt: every file with its Key and sha256')
    .requiredOption('--out <file>', 'the file to write')
    .addOption(new Option('--format <format>', 'default: by the ending of the file').choices(['csv', 'json']))
    .action(
      run((context, id: string, { out, format }: { readonly out: string; readonly format?: ReportFormat }) =>
        uploads.report(context, id, out, format),
      ),
    );
  batches
    .command('verify <batch>')
    .description('hold the files on disk against what was uploaded')
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
  if (!parsed.success) throw new InvalidArgumentError('the number of a page is needed');
  return parsed.data;
};
const positive = (text: string): number => {
  if (!/^\d+$/.test(text) || Number(text) === 0) throw new InvalidArgumentError('a whole number above 0 is needed');
  return Number(text);
};
const nameTemplate = (text: string): string => {
  if (NameTemplate.safeParse(text).success) return text;
  throw new InvalidArgumentError('{name} or {path} is needed once, beside it at most {folder} and what names may hold');
};
/** A word of its own for `auto`: commander takes an option whose parser answers nothing for one without a value. */
const concurrency = (text: string): number | 'auto' => (text === 'auto' ? text : positive(text));
