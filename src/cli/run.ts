import { Command, CommanderError } from 'commander';
import { TidingsError } from '../errors/tidings-error.ts';
import { apikeys } from './commands/apikeys.ts';
import { backup } from './commands/backup.ts';
import { check } from './commands/check.ts';
import { diff } from './commands/diff.ts';
import { doc } from './commands/doc.ts';
import { doctor } from './commands/doctor.ts';
import { follow } from './commands/follow.ts';
import { harvest } from './commands/harvest.ts';
import { keys } from './commands/keys.ts';
import { log } from './commands/log.ts';
import { publish } from './commands/publish.ts';
import { read } from './commands/read.ts';
import { risk } from './commands/risk.ts';
import { serve } from './commands/serve.ts';
import { source } from './commands/source.ts';
import { status } from './commands/status.ts';
import { surface } from './commands/surface.ts';
import { verifyDomain } from './commands/verify-domain.ts';
import { why } from './commands/why.ts';
import { applyConfig, readConfigFile } from './config-file.ts';
import { ExitCode, exitCodeOf } from './exit-code.ts';
import type { Verb, VerbGroup } from './verb.ts';
import type { World } from './world.ts';

const VERBS: readonly (Verb | VerbGroup)[] = [
  publish,
  diff,
  check,
  follow,
  harvest,
  doc,
  risk,
  read,
  surface,
  keys,
  verifyDomain,
  serve,
  source,
  apikeys,
  status,
  log,
  why,
  doctor,
  backup,
];

const EXIT_CODES = `
Exit codes: 0 done · 1 findings, with --fail-on · 2 usage or config · 3 could not complete · 4 safety stop`;

/** Runs one command line and says how it ended. Never throws for what a user or the world can do wrong. */
export async function run(argv: readonly string[], world: World): Promise<number> {
  let code: number = ExitCode.Done;
  const program = new Command('tidings')
    .description('Tells machines what changed on the web: section by section, provably, in every dialect.')
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
  for (const verb of VERBS) {
    if (!('verbs' in verb)) {
      addVerb(program, verb, { world, setCode });
      continue;
    }
    const group = program.command(verb.name).summary(verb.summary).description(verb.summary);
    group.copyInheritedSettings(program);
    for (const part of verb.verbs) addVerb(group, part, { world, setCode });
  }
  try {
    await program.parseAsync(argv, { from: 'user' });
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

function addVerb(parent: Command, verb: Verb, { world, setCode }: Running): void {
  const command = parent.command(verb.name).summary(verb.summary).description(verb.summary);
  command.copyInheritedSettings(parent).addHelpText('after', `\nExample:\n${verb.example.replace(/^/gm, '  $ ')}`);
  verb.configure(command);
  command.action(async () => {
    if (verb.readsConfigItself) return setCode(await verb.run(command.args, command.opts(), world));
    const named: unknown = command.opts().config;
    const config = typeof named === 'string' ? readConfigFile(named) : (world.config ?? readConfigFile(undefined));
    if (config !== undefined) applyConfig(command, config, world);
    setCode(await verb.run(command.args, command.opts(), { ...world, ...(config !== undefined && { config }) }));
  });
}

function failed(error: unknown, world: World): ExitCode {
  if (!(error instanceof TidingsError)) throw error;
  world.complain(`tidings: ${error.message}`);
  return exitCodeOf(error);
}
