import { Command, CommanderError } from 'commander';
import { TidingsError } from '../errors/tidings-error.ts';
import { check } from './commands/check.ts';
import { diff } from './commands/diff.ts';
import { doc } from './commands/doc.ts';
import { follow } from './commands/follow.ts';
import { log } from './commands/log.ts';
import { publish } from './commands/publish.ts';
import { verifyDomain } from './commands/verify-domain.ts';
import { decodeConfig } from './config-file.ts';
import { ExitCode, exitCodeOf } from './exit-code.ts';
import type { Verb } from './verb.ts';
import type { World } from './world.ts';

const VERBS: readonly Verb[] = [publish, diff, check, follow, doc, verifyDomain, log];

const EXIT_CODES = `
Exit codes: 0 done · 1 findings, with --fail-on · 2 usage or config · 3 could not complete · 4 safety stop`;

/** Runs one command line and says how it ended. Never throws for what a user or the world can do wrong. */
export async function run(argv: readonly string[], world: World, version: string): Promise<number> {
  let code: number = ExitCode.Done;
  let config: ReadonlyMap<string, string | number>;
  try {
    config = decodeConfig(world.config ?? '{}');
  } catch (error) {
    return failed(error, world);
  }
  const program = new Command('tidings')
    .description('Tells machines what changed on the web: section by section, provably, in every dialect.')
    .version(version, '-V, --version')
    .showHelpAfterError('(add --help for what is possible)')
    .addHelpText('after', EXIT_CODES)
    .configureOutput({
      writeOut: (text) => void world.print(text.replace(/\n$/, '')),
      writeErr: (text) => world.complain(text.trimEnd()),
    })
    .exitOverride();
  for (const verb of VERBS) {
    const command = program
      .command(verb.name)
      .summary(verb.summary)
      .description(verb.summary)
      .copyInheritedSettings(program);
    command.addHelpText('after', `\nExample:\n${verb.example.replace(/^/gm, '  $ ')}`);
    verb.configure(command);
    for (const [option, value] of config) {
      const isKnown = command.options.some((known) => known.attributeName() === option);
      // A variable or a flag that says otherwise counts more.
      if (isKnown) command.setOptionValueWithSource(option, value, 'config');
    }
    command.action(async () => {
      code = await verb.run(command.args, command.opts(), world);
    });
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

function failed(error: unknown, world: World): ExitCode {
  if (!(error instanceof TidingsError)) throw error;
  world.complain(`tidings: ${error.message}`);
  return exitCodeOf(error);
}
