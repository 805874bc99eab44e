import { oneLine } from '../../codecs/primitives/one-line.ts';
import type { SurfaceDiff, SurfaceDiffOptions } from '../../doors/surface-diff.ts';
import { SettingRefusedError } from '../../errors/setting-refused-error.ts';
import { askRenames } from '../ask-renames.ts';
import { ExitCode } from '../exit-code.ts';
import { decodeRenames } from '../migration-file.ts';
import { allowPrivateOption, caOption, collect, isPrivateAllowed } from '../option-values.ts';
import { optional } from '../surface-options.ts';
import { draftLines, surfaceCounts } from '../surface-text.ts';
import type { Options, Verb } from '../verb.ts';
import type { World } from '../world.ts';

export const surfaceDiff: Verb = {
  example: [
    'tidings surface diff openapi-1.0.yaml openapi-1.1.yaml',
    'tidings surface diff https://api.example/openapi.json openapi.json --rename /amount=/total --json',
  ].join('\n'),

  configure(command) {
    command
      .argument('<old>', 'the earlier description: a file or an https URL')
      .argument('<new>', 'the later description')
      .option(
        '--operation <name>',
        'only this operation: its endpoint id, its operationId, or its name like "GET /pets/{id}"',
      )
      .option('--rename </old=/new>', 'this field was renamed (repeatable)', collect)
      .option('--interactive', 'ask which suggested renames are correct')
      .option('--fail-on-breaking', 'exit with 1 if a change may break existing callers')
      .option('--json', 'print the comparison as JSON')
      .addOption(allowPrivateOption('allow descriptions at private addresses'))
      .addOption(caOption());
    command.addHelpText('after', FORMATS);
  },

  async run([old = '', now = ''], options, world) {
    const renames = decodeRenames((options.rename ?? []) as readonly string[]);
    let diff = await compare({ old, new: now, renames }, options, world);
    if (options.interactive === true) {
      if (world.ask === undefined)
        throw new SettingRefusedError('--interactive', '', 'It needs a terminal. State --rename instead.');
      const confirmed = await askRenames(diff.operations, world.ask);
      diff = await compare({ old, new: now, renames: { ...renames, ...confirmed } }, options, world);
    }
    const lost = diff.operations.filter(({ status }) => status === 'incomparable');
    for (const { endpointId, reason } of lost) {
      world.complain(`tidings: ${oneLine(`${endpointId} could not be compared: ${reason}.`)}`);
    }
    if (options.json === true) await world.print(JSON.stringify(diff));
    else {
      const lines = diff.operations.flatMap((each) => draftLines(each, diff.versions, { old, new: now }));
      for (const line of lines) await world.print(line);
      await world.print(surfaceCounts(diff));
    }
    if (lost.length > 0) return ExitCode.Incomplete;
    const isBreaking = diff.operations.some(({ breaking }) => breaking);
    return options.failOnBreaking === true && isBreaking ? ExitCode.Findings : ExitCode.Done;
  },
};

type Compared = Pick<SurfaceDiffOptions, 'old' | 'new' | 'renames'>;

async function compare(compared: Compared, options: Options, world: World): Promise<SurfaceDiff> {
  const { diffSurfaces } = await import('../../doors/surface-diff.ts');
  const operation = optional(options, 'operation');
  const { ca } = options;
  return await diffSurfaces({
    ...compared,
    allowPrivate: isPrivateAllowed(options.allowPrivate, world),
    signal: world.signal,
    ...(operation !== undefined && { operation }),
    ...(typeof ca === 'string' && { ca }),
  });
}

const FORMATS = `
Formats: OpenAPI 3.0 and 3.1 (JSON or YAML), JSON Schema, MCP tools/list results and server cards, A2A agent cards, GraphQL
schemas. What could not be compared is reported on stderr, with exit code 3. Nothing counts as a rename unless stated.`;
