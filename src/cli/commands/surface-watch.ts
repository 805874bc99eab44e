import { InvalidArgumentError, Option } from 'commander';
import { oneLine } from '../../codecs/primitives/one-line.ts';
import type { SurfaceDraft, SurfacePublishing, SurfaceWatchOptions } from '../../doors/surface-watch.ts';
import { ExitCode } from '../exit-code.ts';
import { decodeRenames } from '../migration-file.ts';
import { allowPrivateOption, caOption, collect, isPrivateAllowed } from '../option-values.ts';
import { addSurfaceOptions, needed, optional, targetOf } from '../surface-options.ts';
import { draftLines } from '../surface-text.ts';
import type { Options, Verb } from '../verb.ts';
import type { World } from '../world.ts';

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const LEAST_MS = 10_000;

export const surfaceWatch: Verb = {
  example: [
    'tidings surface watch openapi.yaml --state openapi.state.json --once',
    'tidings surface watch https://api.example/openapi.json --state s.json --every 5m --publish --dir site --site https://api.example/ --key key.json --endpoint-id orders-api',
  ].join('\n'),

  configure(command) {
    command
      .argument('<description>', 'a file or an https URL')
      .addOption(new Option('--state <file>', 'remember the description here').makeOptionMandatory())
      .addOption(
        new Option('--every <time>', 'time between checks, such as 30s, 5m or 1h')
          .argParser(everyMs)
          .default(300_000, '5m'),
      )
      .option('--once', 'check once and stop')
      .option('--accept', 'accept the current description, so that a pending draft is not reported again')
      .option(
        '--operation <name>',
        'only this operation: its endpoint id, its operationId, or its name like "GET /pets/{id}"',
      )
      .option('--rename </old=/new>', 'this field was renamed (repeatable)', collect)
      .option('--as-is', 'count only fields given with --rename as renamed, and sign what looks like another rename')
      .option('--publish', 'sign and publish what changed (needs --dir, --site and --key)')
      .option('--endpoint-id <id>', 'the endpoint described (default: each operation under its own id)')
      .option('--from <version>', 'the old version, if the description has none')
      .option('--to <version>', 'the new version, if the description has none');
    addSurfaceOptions(command)
      .addOption(allowPrivateOption('allow a description at a private address'))
      .addOption(caOption());
  },

  async run([where = ''], options, world) {
    const { watchSurface } = await import('../../doors/surface-watch.ts');
    for await (const draft of watchSurface(watchOptions(where, options, world))) {
      await printDraft(draft, options.json === true, world);
    }
    return ExitCode.Done;
  },
};

function watchOptions(where: string, options: Options, world: World): SurfaceWatchOptions {
  const { ca, rename = [], every } = options;
  const operation = optional(options, 'operation');
  return {
    where,
    state: needed(options, 'state', 'Name a file.'),
    signal: world.signal,
    renames: decodeRenames(rename as readonly string[]),
    allowPrivate: isPrivateAllowed(options.allowPrivate, world),
    once: options.once === true,
    accept: options.accept === true,
    isAsIs: options.asIs === true,
    onNotice: (message) => world.complain(`tidings: ${oneLine(message)}`),
    onProblem: (message) => world.complain(`tidings: ${message}`),
    ...(typeof every === 'number' && { everyMs: every }),
    ...(operation !== undefined && { operation }),
    ...(typeof ca === 'string' && { ca }),
    ...(options.publish === true && { publish: publishingOf(options) }),
  };
}

function publishingOf(options: Options): SurfacePublishing {
  const [endpointId, from, to] = ['endpointId', 'from', 'to'].map((name) => optional(options, name));
  return {
    target: targetOf(options),
    ...(endpointId !== undefined && { endpointId }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}

async function printDraft(draft: SurfaceDraft, json: boolean, world: World): Promise<void> {
  if (json) return await world.print(JSON.stringify(draft));
  for (const line of draftLines(draft, draft.versions)) await world.print(line);
  if (draft.entryId !== undefined) await world.print(`  published as ${draft.entryId}`);
}

function everyMs(text: string): number {
  const [, count = '', unit = 's'] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const ms = Number(count) * (UNITS[unit] ?? 0);
  if (count === '' || ms < LEAST_MS || ms > 2 ** 31 - 1) {
    throw new InvalidArgumentError('Give a time from 10s to 24d, such as 30s, 5m or 1h.');
  }
  return ms;
}
