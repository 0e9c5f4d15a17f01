import { setImmediate } from 'node:timers/promises';
import { Command, CommanderError, Help, type HelpConfiguration, Option } from 'commander';
import { camelCase } from 'es-toolkit/string/camelCase';
import { kebabCase } from 'es-toolkit/string/kebabCase';
import { DeskError, toErrorData } from '../../../contract/errors.ts';
import { LeaveRoom } from '../../../contract/hours.ts';
import type { Language } from '../../../contract/preferences.ts';
import { AutomaticReceipt, OnClash, ReceiptFormat, ReportBy } from '../../../contract/uploads.ts';
import { ownLocale } from '../../../words/formats.ts';
import { languageOf } from '../../../words/languages.ts';
import { createHostSpeech, type Speech } from '../../../words/speech.ts';
import { sleep } from '../../async/clock.ts';
import type { Desk } from '../../core/desk.ts';
import { comesToRest, endByForce } from '../../data/end-by-force.ts';
import type { Policy } from '../../settings/policy/policy.ts';
import { readPolicy as readMachinePolicy } from '../../settings/policy/read-policy.ts';
import { type CommandIo, type CommandRequest, handOver, serveCommands } from '../shared/command-channel.ts';
import { EXIT, exitCodeOf } from '../shared/exit-codes.ts';
import { type Stream, watchOutput, writeText } from '../shared/terminal.ts';
import * as assignment from './commands/assignment.ts';
import { doctor } from './commands/doctor.ts';
import * as reads from './commands/reads.ts';
import * as session from './commands/session.ts';
import { upload } from './commands/upload.ts';
import * as uploads from './commands/uploads.ts';
import * as watch from './commands/watch.ts';
import * as values from './support/options.ts';
import { type CommonOptions, type Environment, homeOf } from './support/options.ts';
import { createFileLines, createOutput, emptyValue, refusalOf, usage } from './support/output.ts';
import { type CliContext, type CliParts, type RunningDesk, tokenStoreOf, version } from './support/with-desk.ts';

/** The environment of a command. `signal` is aborted when the command has to stop, such as by Ctrl-C. */
export type Terminal = Omit<CliContext, 'files' | 'options' | 'output' | 'policy'> & {
  readonly stdout: Stream;
  readonly stderr: Stream;
  readonly readPolicy: () => Promise<Policy>;
  /**
   * Runs the command in the process that has `home` open, and resolves to the command's exit code, or to undefined if
   * no process responds. Absent: every command opens the data directory itself.
   */
  readonly handOver?: (home: string) => Promise<number | undefined>;
};

/** Runs the command of `args` (without the executable). Returns its exit code (docs/command-line.md). */
export const runCli = async (args: readonly string[], terminal: Terminal): Promise<number> => {
  let exitCode: number = EXIT.done;
  const speech = await createHostSpeech(cliLanguage(terminal.env));
  const onExit = (code: number): void => {
    exitCode = code;
  };
  try {
    await createProgram(terminal, speech, onExit).parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (thrown) {
    // Help or the version was shown.
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return EXIT.done;
    if (thrown instanceof CommanderError && thrown.code === 'commander.help') return EXIT.usage;
    const error = thrown instanceof CommanderError ? refusalOf(thrown) : thrown;
    createOutput(args.includes('--json'), terminal.stdout, terminal.stderr, speech).error(error);
    return exitCodeOf(toErrorData(error).code);
  }
};

/** How long a stopped command may take to close everything before the process is killed. */
const INTERRUPT_MS = 20_000;

/**
 * Runs the command of `args` on the terminal of this process, and returns its exit code once its output is written.
 * Ctrl-C, `quit` and a closed output (`| head`) stop the command cleanly. The process exits even if a drive does not
 * respond.
 */
export const runInProcess = async (
  args: readonly string[],
  parts: CliParts,
  readPolicy: () => Promise<Policy> = readMachinePolicy,
  quit?: AbortSignal,
): Promise<number> => {
  const { stdout, stderr, env } = process;
  const interrupt = new AbortController();
  const stop = (exitCode: number): void => {
    if (interrupt.signal.aborted) return;
    interrupt.abort();
    setTimeout(endByForce, INTERRUPT_MS, exitCode).unref();
  };
  // Only the first Ctrl-C is handled. A second one ends the process immediately.
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop(EXIT.interrupted));
  let isElsewhere = false;
  // The terminal was closed. A command that another process runs continues there.
  process.once('SIGHUP', () => (isElsewhere ? endByForce : stop)(EXIT.interrupted));
  quit?.addEventListener('abort', () => stop(EXIT.interrupted));
  let outputLost = false;
  watchOutput(() => {
    outputLost = true;
    stop(EXIT.outputLost);
  });
  let hangs = false;
  const onHang = (): void => {
    hangs = true;
  };
  const { signal } = interrupt;
  const terminal: Terminal = { cwd: process.cwd(), env, stdout, stderr, parts, readPolicy, signal, onHang, serve };
  const toRunning = (home: string): Promise<number | undefined> => {
    isElsewhere = true;
    return handOver(home, args, terminal).finally(() => {
      isElsewhere = false;
    });
  };
  const ended = await runCli(args, { ...terminal, handOver: toRunning });
  const atRest = !hangs && (await comesToRest());
  await flushOutput();
  const exitCode = outputLost ? EXIT.outputLost : ended;
  if (!atRest) endByForce(exitCode);
  return exitCode;
};

type RunningHost = Pick<CliContext, 'parts' | 'policy'> & Pick<RunningDesk, 'tokenStore'> & { readonly home: string };

/**
 * Runs a command of another process on `desk`, and returns its exit code. The arguments, the working directory and the
 * language are the command's; the session, the policy and the proxies are those of this process.
 */
export const runOnDesk = (
  { args, cwd, env, timeZone }: CommandRequest,
  { interrupt, left, ...streams }: CommandIo,
  desk: Desk,
  { home, parts, policy, tokenStore }: RunningHost,
): Promise<number> =>
  runCli(args, {
    ...streams,
    signal: AbortSignal.any([interrupt, left]),
    cwd,
    timeZone,
    parts,
    env: { ...env, INSPECTION_DESK_HOME: home },
    readPolicy: async () => policy,
    onHang: () => {},
    running: { desk, tokenStore, interrupt, left },
  });

const serve: CliContext['serve'] = (desk, context) => {
  const host = { ...context, home: homeOf(context), tokenStore: tokenStoreOf(context) };
  const onBug = (error: unknown): void => desk.log.write('background', { error });
  return serveCommands(host.home, (request, io) => runOnDesk(request, io, desk, host), onBug);
};

/** Resolves when all output is written, or when it cannot be written. A slow reader delays this. */
export const flushOutput = async (): Promise<void> => {
  const flush = (stream: NodeJS.WriteStream) =>
    // Without pending output, nothing is written: even an empty write would fail on a closed pipe.
    stream.writableLength > 0 && new Promise((resolve) => stream.write('', resolve));
  await Promise.all([flush(process.stdout), flush(process.stderr)]);
  // Node reports a failed write only in a later turn of the event loop.
  await setImmediate();
};

/**
 * Returns the language of the command line: that of the first of LC_ALL, LC_MESSAGES and LANG that is not empty, as in
 * POSIX. If none is set, returns that of the system's locale on Windows, and that of the locale `C` elsewhere.
 */
export const cliLanguage = (
  { LC_ALL, LC_MESSAGES, LANG }: Environment,
  platform: NodeJS.Platform = process.platform,
  systemLocale = ownLocale,
): Language => {
  const named = LC_ALL || LC_MESSAGES || LANG;
  return languageOf([named || (platform === 'win32' ? systemLocale() : 'C')]);
};

/**
 * Wraps the action of a command for commander: creates its `CliContext` from the options and reports its exit code.
 * Common options are accepted before and after the name of the command.
 */
type Run = <A extends readonly unknown[]>(
  action: (context: CliContext, ...args: A) => Promise<number>,
) => (...all: readonly unknown[]) => Promise<void>;

/**
 * Creates the parser of the command line. The parser also runs the command. `onExit` receives the command's exit code.
 * Errors: `CommanderError` for invalid arguments, and those of the command.
 */
const createProgram = (terminal: Terminal, speech: Speech<'host'>, onExit: (code: number) => void): Command => {
  const program = new Command('inspection-desk')
    .description('app')
    .version(version, '-V, --version', 'version')
    .helpOption('-h, --help', 'help')
    .helpCommand('help [command]', 'help')
    // Commands inherit these settings, so the settings have to be made before the commands are added.
    .exitOverride()
    .configureHelp(helpWords(speech))
    .configureOutput({
      writeOut: (text) => writeText(terminal.stdout, text),
      writeErr: (text) => writeText(terminal.stderr, text),
      // `runCli` prints the parser's errors like every other error.
      outputError: () => {},
    })
    .option('--home <dir>')
    .option('--base-url <url>')
    .option('--auth-url <url>')
    .option('--client-id <id>')
    .option('--redirect-uri <uri>')
    .option('--scope <words>')
    .addOption(new Option('--token-store <store>').choices(['keychain', 'memory']))
    .option('--no-browser')
    .option('--json');

  const run: Run =
    <A extends readonly unknown[]>(action: (context: CliContext, ...args: A) => Promise<number>) =>
    async (...all) => {
      const command = all.at(-1) as Command;
      const options: CommonOptions = command.optsWithGlobals();
      // An empty path would mean the current folder, and an empty address would mean the address in the settings.
      // Scripts pass empty arguments by mistake.
      const [option] = Object.entries(options).find(([, value]) => value === '') ?? [];
      const expected = command.registeredArguments;
      const argument = expected[Math.min(command.args.indexOf(''), expected.length - 1)];
      if (option !== undefined) throw emptyValue(`--${kebabCase(option)}`);
      if (argument !== undefined) throw emptyValue(`<${argument.name()}>`);
      const output = createOutput(options.json === true, terminal.stdout, terminal.stderr, speech);
      const files = createFileLines(output);
      const context = { ...terminal, options, output, files, policy: await terminal.readPolicy() };
      onExit(
        await inOneProcess(terminal, homeOf(context), () => action(context, ...(all.slice(0, -1) as unknown as A))),
      );
    };

  addSessionCommands(program, run);
  addReadCommands(program, run);
  addAssignmentCommands(program, run);
  addUploadCommands(program, run);
  addWatchCommands(program, run);
  program
    .command('sandbox')
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async (_options: unknown, { args }: Command) => {
      const { runSandbox } = await import('../../../sandbox/run.ts');
      onExit(await runSandbox(args, terminal.signal));
    });
  program.command('doctor').option('--bundle <file>').option('--crash-dumps').action(run(doctor));
  return program;
};

/** How long a command retries while the process that uses the data directory is starting or ending. */
const BUSY_MS = 5_000;
const BUSY_POLL_MS = 200;

/**
 * Runs a command in the process that has `home` open; if there is none, runs `action` in this process. Errors: those of
 * `action` and of `handOver`; the `cancellation` of `signal`.
 */
const inOneProcess = async (
  { handOver: toRunning, signal }: Terminal,
  home: string,
  action: () => Promise<number>,
): Promise<number> => {
  for (const untilMs = performance.now() + BUSY_MS; ; await sleep(BUSY_POLL_MS, signal)) {
    const exitCode = await toRunning?.(home);
    if (exitCode !== undefined) return exitCode;
    try {
      return await action();
    } catch (error) {
      const isBusy = toRunning && error instanceof DeskError && error.code === 'data/in-use';
      if (!isBusy || performance.now() > untilMs) throw error;
    }
  }
};

const addSessionCommands = (program: Command, run: Run): void => {
  program.command('login').action(run(session.login));
  program.command('logout').action(run(session.logout));
  program.command('status').action(run(session.status));
};

const addReadCommands = (program: Command, run: Run): void => {
  program
    .command('protocols')
    .option('--query <text>')
    .addOption(new Option('--page <n>').argParser(values.page))
    .addOption(new Option('--all').conflicts('page'))
    .option('--offline')
    .action(run(reads.protocols));
  program
    .command('assignments')
    .option('--protocol <id>')
    .addOption(new Option('--projects').conflicts('protocol'))
    .addOption(new Option('--county <name>').implies({ projects: true }).conflicts('protocol'))
    .option('--offline')
    .action(
      run((context, options: Parameters<typeof reads.assignments>[1] & { readonly projects?: boolean }) => {
        if (options.protocol === undefined && !options.projects) throw usage('protocolOrProjects');
        return reads.assignments(context, options);
      }),
    );
  program
    .command('points')
    .requiredOption('--protocol <id>')
    .option('--query <text>')
    .option('--offline')
    .action(run(reads.points));
  program.command('events').option('--offline').action(run(reads.events));
};

type RemoveOptions = { readonly batch?: string; readonly folder?: string };

const addAssignmentCommands = (program: Command, run: Run): void => {
  program
    .command('plan-after <assignment-id> [value]')
    .option('--clear')
    .action(
      run((context, id: string, value: string | undefined, { clear }: { readonly clear?: boolean }) => {
        if ((value === undefined) !== (clear === true)) throw usage('valueOrClear');
        return assignment.planAfter(context, id, value === undefined ? undefined : numeric(value));
      }),
    );
  const files = program.command('files');
  files
    .command('find [text...]')
    .addOption(new Option('--sha256 <hash>').argParser(values.hashBeginning))
    .addOption(new Option('--limit <n>').argParser(values.positive).default(200))
    .action(
      run((context, words: readonly string[], options: { readonly sha256?: string; readonly limit: number }) => {
        if (words.length === 0 && options.sha256 === undefined) throw usage('textOrHash');
        return reads.find(context, { ...options, text: words.join(' ') });
      }),
    );
  files.command('list <assignment-id>', { isDefault: true }).action(run(assignment.files));
  files
    .command('remove [assignment-id] [key...]')
    .option('--batch <batch>')
    .addOption(new Option('--folder <path>').argParser(values.folderBelow))
    .action(
      run((context, id: string | undefined, keys: readonly string[], { batch, folder }: RemoveOptions) => {
        if (batch === undefined ? keys.length === 0 || folder !== undefined : id !== undefined)
          throw usage('keysOrBatch');
        return assignment.removeFiles(
          context,
          batch === undefined
            ? { AssignmentId: id ?? '', Keys: [...new Set(keys)] }
            : { batchId: batch, folder: folder ?? '' },
        );
      }),
    );
};

const addUploadCommands = (program: Command, run: Run): void => {
  program
    .command('upload <folder...>')
    .addOption(new Option('--assignment <id>').conflicts(['match', 'map', 'level', 'offline']))
    .option('--match')
    .option('--map <file>')
    .addOption(new Option('--min-certainty <p>').argParser(values.probability))
    .addOption(new Option('--level <n>').argParser(values.level))
    .option('--offline', 'offlineAssignments')
    .option('--dry-run')
    .addOption(new Option('--name-template <text>').argParser(values.nameTemplate))
    .addOption(new Option('--on-clash <choice>').choices(OnClash.options))
    .addOption(new Option('--at <time>').argParser(values.atTime))
    .addOption(new Option('--hours <periods>').argParser(values.hours))
    .addOption(new Option('--receipt <format>', 'automaticReceipt').choices(AutomaticReceipt.options))
    .addOption(new Option('--concurrency <n>').argParser(values.concurrency))
    .addOption(new Option('--limit-rate <bytes>').argParser(values.limitRate))
    .addOption(new Option('--leave-room <when>').choices(LeaveRoom.options))
    .action(
      run((context, folders: readonly string[], options: Parameters<typeof upload>[2]) => {
        const { assignment, match, map, receipt } = options;
        if (receipt === 'pdf' && !context.parts.printPdf) throw usage('pdf');
        if (assignment === undefined && map === undefined && !match) throw usage('assignmentOrMatch');
        return upload(context, folders, options);
      }),
    );

  const batches = program.command('uploads');
  batches
    .command('list', { isDefault: true })
    .allowExcessArguments()
    .action(async (options: unknown, command: Command) => {
      // An unknown command arrives here, as an argument of the default command.
      if (command.args.length > 0)
        command.error(`unknown command 'uploads ${command.args[0]}'`, { code: 'commander.unknownCommand' });
      await run(uploads.list)(options, command);
    });
  batches.command('show <batch>').option('--failed').action(run(uploads.show));
  batches.command('resume [batch]').action(run(uploads.resume));
  batches.command('retry [batch]').action(run(uploads.retry));
  batches.command('cancel <batch>').action(run(uploads.cancel));
  batches
    .command('report [batch]')
    .option('--upload <id>')
    .requiredOption('--out <file>')
    .addOption(new Option('--format <format>').choices(ReceiptFormat.options))
    .option('--receipt')
    .option('--each-assignment')
    .option('--list-files')
    .addOption(
      new Option('--period <period>').argParser(values.period).conflicts(['upload', 'receipt', 'eachAssignment']),
    )
    .addOption(new Option('--by <what>').choices(ReportBy.options).default('assignment'))
    .action(run(uploads.report));
  batches.command('verify <batch>').action(run(uploads.verify));
};

const addWatchCommands = (program: Command, run: Run): void => {
  const watched = program.command('watch');
  watched
    .command('run [folder]', { isDefault: true })
    .addOption(new Option('--assignment <id>').conflicts('match'))
    .option('--match', 'matchFolders')
    .option('--existing')
    .addOption(new Option('--hours <periods>').argParser(values.hours))
    .addOption(new Option('--on-clash <choice>').choices(OnClash.options))
    .action(
      run((context, folder: string | undefined, options: watch.WatchOptions) => {
        const { assignment, match } = options;
        if ((folder === undefined) !== (assignment === undefined && !match)) throw usage('watchTarget');
        return watch.watch(context, folder, options);
      }),
    );
  watched.command('list').action(run(watch.list));
  watched.command('remove <folder>').action(run(watch.remove));
};

const numeric = (text: string): number => {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw usage('number');
  return value;
};

/**
 * Translates the help that commander writes in English, except the names of options and commands. The key of the text
 * for a command or an option is its description or, without a description, its name (`filesRemove`, `dryRun`).
 */
const helpWords = ({ t, say }: Speech<'host'>): HelpConfiguration => {
  const headings: Readonly<Record<string, string>> = {
    'Usage:': t('help.heading.usage'),
    'Arguments:': t('help.heading.arguments'),
    'Options:': t('help.heading.options'),
    'Global Options:': t('help.heading.globalOptions'),
    'Commands:': t('help.heading.commands'),
  };
  const english = new Help();
  const inWords = (usage: string): string =>
    usage.replace('[options]', `[${t('help.term.options')}]`).replace('[command]', `[${t('help.term.command')}]`);
  const pathOf = (command: Command): string => (command.parent ? `${pathOf(command.parent)} ${command.name()}` : '');
  const commandText = (command: Command): string =>
    say(`help.command.${command.description() || camelCase(pathOf(command))}`);
  return {
    showGlobalOptions: true,
    styleTitle: (title) => headings[title] ?? title,
    commandUsage: (command) => inWords(english.commandUsage(command)),
    subcommandTerm: (command) => inWords(english.subcommandTerm(command)),
    commandDescription: commandText,
    subcommandDescription: commandText,
    optionDescription: (option) => {
      const text = say(`help.option.${option.description || option.attributeName()}`);
      if (option.argChoices === undefined) return text;
      const choices = option.argChoices.map((choice) => JSON.stringify(choice)).join(', ');
      return `${text} (${t('help.choices', { choices })})`;
    },
  };
};
