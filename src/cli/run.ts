import { Command, CommanderError, Help } from 'commander';
import { TidingsError } from '../errors/tidings-error.ts';
import { readConfigFile } from './config-file.ts';
import { ExitCode, exitCodeOf } from './exit-code.ts';
import type { Verb, VerbEntry, VerbGroup } from './verb.ts';
import { VERBS } from './verbs.ts';
import type { World } from './world.ts';

const EXIT_CODES = `
Exit codes: 0 done · 1 findings, with --fail-on · 2 usage or config · 3 could not complete · 4 safety stop`;

/** Runs one command line and says how it ended. Never throws for what a user or the world can do wrong. */
export async function run(argv: readonly string[], world: World): Promise<number> {
  let code: number = ExitCode.Done;
  const program = new Command('tidings')
    .description('Tell machines what changed on the web: section by section, provably, in every dialect.')
    .version(world.version, '-V, --version')
    .showHelpAfterError('(add --help for what is possible)')
    .addHelpText('after', EXIT_CODES)
    .configureOutput({
      writeOut: (text) => void world.print(text.replace(/\n$/, '')),
      writeErr: (text) => world.complain(text.trimEnd()),
    })
    .exitOverride();
  const setCode = (ended: number) => {
    code = ended;
  };
  addEntries(program, VERBS, { world, setCode });
  try {
    await program.parseAsync(withHelpAsOption(argv, VERBS), { from: 'user' });
    return code;
  } catch (error) {
    world.status('');
    if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.Done : ExitCode.BadUsage;
    if (world.signal.aborted) {
      world.complain('tidings: stopped on request. What is missing is done by the next run.');
      return ExitCode.Incomplete;
    }
    return failed(error, world);
  }
}

interface Running {
  readonly world: World;
  readonly setCode: (code: number) => void;
}

type Entry = VerbEntry | VerbGroup;

/** Names every verb; the one that is asked for is loaded, and declares its options, before commander reads them. */
function addEntries(parent: Command, entries: readonly Entry[], running: Running): void {
  const loads = new Map<Command, VerbEntry>();
  for (const entry of entries) {
    const command = parent.command(entry.name).summary(entry.summary).description(entry.summary);
    command.copyInheritedSettings(parent);
    if ('verbs' in entry) addEntries(command, entry.verbs, running);
    else loads.set(command, entry);
  }
  const usual = new Help();
  const subcommandTerm = (command: Command) => {
    const entry = loads.get(command);
    return entry === undefined ? usual.subcommandTerm(command) : `${entry.name} [options] ${entry.args}`.trimEnd();
  };
  parent.configureHelp({ subcommandTerm });
  parent.hook('preSubcommand', async (_, command) => {
    const verb = await loads.get(command)?.load();
    if (verb !== undefined) setUp(command, verb, running);
  });
}

function setUp(command: Command, verb: Verb, { world, setCode }: Running): void {
  command.addHelpText('after', `\nExample:\n${verb.example.replace(/^/gm, '  $ ')}`);
  verb.configure(command);
  command.action(async () => {
    if (verb.readsConfigItself) return setCode(await verb.run(command.args, command.opts(), world));
    const named: unknown = command.opts().config;
    const config = typeof named === 'string' ? readConfigFile(named) : (world.config ?? readConfigFile(undefined));
    if (config === undefined) return setCode(await verb.run(command.args, command.opts(), world));
    const { applyConfig } = await import('./apply-config.ts');
    const settings = applyConfig(command, config, world);
    setCode(await verb.run(command.args, command.opts(), { ...world, config, settings }));
  });
}

/** `help publish` as `publish --help`: commander would answer it before the verb is loaded. */
function withHelpAsOption(argv: readonly string[], entries: readonly Entry[]): readonly string[] {
  const [first = '', ...rest] = argv;
  const named = (name: string | undefined) => entries.find((entry) => entry.name === name);
  if (first === 'help' && named(rest[0]) !== undefined) return [rest[0] ?? '', '--help'];
  const entry = named(first);
  return entry !== undefined && 'verbs' in entry ? [first, ...withHelpAsOption(rest, entry.verbs)] : argv;
}

function failed(error: unknown, world: World): ExitCode {
  if (!(error instanceof TidingsError)) throw error;
  world.complain(`tidings: ${error.message}`);
  return exitCodeOf(error);
}
