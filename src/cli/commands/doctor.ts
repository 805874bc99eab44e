import { oneLine } from '../../codecs/primitives/one-line.ts';
import type { Diagnosis } from '../../doors/diagnosis.ts';
import { webUrl } from '../../doors/setting-values.ts';
import type { HubConfig } from '../../doors/settings.ts';
import { SettingRefusedError } from '../../errors/setting-refused-error.ts';
import { readConfigFile } from '../config-file.ts';
import { ExitCode } from '../exit-code.ts';
import { addServerOptions, readHubConfig } from '../hub-config-options.ts';
import { privateSaid } from '../option-values.ts';
import { hubTokenOf } from '../secret.ts';
import type { Options, Verb } from '../verb.ts';
import type { World } from '../world.ts';

export const doctor: Verb = {
  example: ['tidings doctor', 'tidings doctor --config tidings.config.json --url https://docs.example/'].join('\n'),
  readsConfigItself: true,

  configure(command) {
    addServerOptions(command)
      .option('--url <url>', 'also fetch this page as the hub would, and report how far that gets')
      .option('--json', 'print the checks as JSON');
  },

  async run(_args, options, world) {
    // Loaded when it is needed: what speaks HTTP costs more than the rest of the command line.
    const { examineHub, examineMachine } = await import('../../doors/doctor.ts');
    // A slip on the command line is no finding.
    const url = options.url === undefined ? undefined : new URL(webUrl(options.url, '--url'));
    const found: Diagnosis[] = [];
    const tell = async (diagnosis: Diagnosis) => {
      found.push(diagnosis);
      if (!options.json) for (const line of linesOf(diagnosis)) await world.print(line);
    };
    for await (const diagnosis of examineMachine(process.version)) await tell(diagnosis);
    const { config, diagnoses } = examineSettings(options, world);
    for (const diagnosis of diagnoses) await tell(diagnosis);
    if (config !== undefined) {
      const examination = { signal: world.signal, ...(url !== undefined && { url }) };
      for await (const diagnosis of examineHub(config, examination)) await tell(diagnosis);
    }

    const failed = found.filter(({ level }) => level === 'fail');
    if (options.json) await world.print(JSON.stringify({ ok: failed.length === 0, checks: found }));
    else await world.print(summaryOf(found));
    if (failed.length === 0) return ExitCode.Done;
    return failed.some(({ check }) => SETTINGS.includes(check)) ? ExitCode.BadUsage : ExitCode.Incomplete;
  },
};

/** What is refused among these is the fault of settings. */
const SETTINGS = ['config', 'token', 'ca'];

interface Settings {
  /** Undefined if it is refused: then nothing of the hub can be examined. */
  readonly config?: HubConfig;
  readonly diagnoses: readonly Diagnosis[];
}

function examineSettings(options: Options, world: World): Settings {
  const token = examined('token', () => tokenText(world));
  try {
    const file = readConfigFile(options.config as string | undefined);
    const inFile = (file?.value as { readonly allowPrivate?: unknown } | null | undefined)?.allowPrivate;
    const allowPrivate = privateSaid(options.allowPrivate, world) ?? inFile === true;
    const settled = { ...world, ...(file !== undefined && { config: file }) };
    const config = readHubConfig({ ...options, allowPrivate }, settled);
    const where = file === undefined ? 'No tidings.config.json here: defaults' : file.file;
    const says = `${where}; ${config.sources.length} sources in it, data in ${config.data}.`;
    return { config, diagnoses: [{ check: 'config', level: 'ok', says }, token] };
  } catch (error) {
    return { diagnoses: [refusedOf('config', error), token] };
  }
}

function tokenText(world: World): string {
  return hubTokenOf(world) === undefined
    ? 'TIDINGS_TOKEN is not set: the hub keeps the one of its first start.'
    : 'TIDINGS_TOKEN[_FILE] gives one.';
}

function examined(check: string, look: () => string): Diagnosis {
  try {
    return { check, level: 'ok', says: look() };
  } catch (error) {
    return refusedOf(check, error);
  }
}

function refusedOf(check: string, error: unknown): Diagnosis {
  if (!(error instanceof SettingRefusedError)) throw error;
  return { check, level: 'fail', says: error.message, remedy: 'Mend it; what depends on it was not looked at.' };
}

function linesOf({ check, level, says, remedy }: Diagnosis): string[] {
  const line = `${level.padEnd(4)}  ${check.padEnd(12)}  ${oneLine(says)}`;
  return remedy === undefined ? [line] : [line, `${''.padEnd(20)}${remedy}`];
}

function summaryOf(found: readonly Diagnosis[]): string {
  const count = (level: Diagnosis['level']) => found.filter((diagnosis) => diagnosis.level === level).length;
  return `${count('ok')} are well, ${count('warn')} are doubtful, ${count('fail')} fail.`;
}
