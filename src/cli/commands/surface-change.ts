import { Option } from 'commander';
import type { MigrationDelta } from '../../codecs/agent-feed/wire.ts';
import type { SurfaceDiff } from '../../doors/surface-diff.ts';
import { SettingRefusedError } from '../../errors/setting-refused-error.ts';
import { askRenames } from '../ask-renames.ts';
import { ExitCode } from '../exit-code.ts';
import { decodeRenames, readMigration } from '../migration-file.ts';
import { allowPrivateOption, caOption, collect, isPrivateAllowed } from '../option-values.ts';
import { addSurfaceOptions, needed, optional, printReport, targetOf } from '../surface-options.ts';
import type { Options, Verb } from '../verb.ts';
import type { World } from '../world.ts';

export const surfaceChange: Verb = {
  example: [
    'tidings surface change --dir site --site https://api.example/ --key key.json --endpoint-id orders-api --from 1.0 --to 1.1 --migration delta.json',
    'tidings surface change --dir site --site https://api.example/ --key key.json --endpoint-id orders-api --from 1.0 --to 1.1 --old openapi-1.0.json --new openapi-1.1.json --rename /amount=/total',
  ].join('\n'),

  configure(command) {
    addSurfaceOptions(command)
      .option('--endpoint-id <id>', 'the endpoint, as announced')
      .option('--from <version>', 'the old version')
      .option('--to <version>', 'the new version')
      .option('--migration <file>', 'what changed, as JSON: add, remove, rename, retype')
      .option(
        '--old <file|url>',
        'instead of --migration: the old description (OpenAPI, JSON Schema, MCP, A2A, GraphQL)',
      )
      .option('--new <file|url>', 'the new description')
      .option(
        '--operation <name>',
        'the operation, if there are several: its endpoint id, operationId or name (default: the one with the endpoint id)',
      )
      .addOption(new Option('--rename </old=/new>', 'this field was renamed (repeatable)').argParser(collect))
      .option('--as-is', 'count only fields given with --rename as renamed, without asking or suggesting others')
      .option('--effective-at <time>', 'when the change took effect, RFC 3339 (default: now)')
      .addOption(allowPrivateOption('allow descriptions at private addresses'))
      .addOption(caOption());
  },

  async run(_, options, world) {
    const endpointId = needed(options, 'endpointId', 'Name the endpoint as it was announced.');
    const from = needed(options, 'from', 'Give the version until now.');
    const to = needed(options, 'to', 'Give the version from now on.');
    const target = targetOf(options);
    const effectiveAt = optional(options, 'effectiveAt');
    const { migration, suggestions } = await migrationIn(options, endpointId, world);
    const { changeSchema } = await import('../../doors/surface.ts');
    const fact = { endpointId, from, to, migration, ...(effectiveAt !== undefined && { effectiveAt }) };
    const report = await changeSchema(target, fact);
    const what = `${endpointId} changes from ${from} to ${to}.`;
    const warnings = [...(await ownWarnings(report.warnings, options)), ...suggestions];
    await printReport({ ...report, warnings }, { json: options.json, what }, world);
    return ExitCode.Done;
  },
};

interface Derived {
  readonly migration: MigrationDelta;
  /** What may be meant otherwise. */
  readonly suggestions: readonly string[];
}

async function migrationIn(options: Options, endpointId: string, world: World): Promise<Derived> {
  const [file, before, after] = [optional(options, 'migration'), optional(options, 'old'), optional(options, 'new')];
  const isDerived = before !== undefined || after !== undefined;
  if (file !== undefined && isDerived) {
    throw new SettingRefusedError('--migration', file, 'Give it, or --old and --new, but not both.');
  }
  if (file !== undefined) return { migration: await readMigration(file), suggestions: [] };
  if (!isDerived) {
    throw new SettingRefusedError('--migration', '(not given)', 'Name a file with the delta, or give --old and --new.');
  }
  const descriptions = {
    old: needed(options, 'old', 'Give the description until now, too.'),
    new: needed(options, 'new', 'Give the description from now on, too.'),
  };
  return await deriveMigration(descriptions, { options, endpointId, world });
}

/** A delta that we derive has keys of ours, and its author has nothing to do about them. */
async function ownWarnings(warnings: readonly string[], options: Options): Promise<readonly string[]> {
  if (warnings.length === 0 || options.old === undefined) return warnings;
  const { isOwnOperatorWarning } = await import('../../doors/surface-diff.ts');
  return warnings.filter((warning) => !isOwnOperatorWarning(warning));
}

interface Deriving {
  readonly options: Options;
  readonly endpointId: string;
  readonly world: World;
}

async function deriveMigration(
  descriptions: { readonly old: string; readonly new: string },
  { options, endpointId, world }: Deriving,
): Promise<Derived> {
  const { diffSurfaces, migrationOf, namedRenames } = await import('../../doors/surface-diff.ts');
  const stated = decodeRenames((options.rename ?? []) as readonly string[]);
  const compared = await compare(stated);
  const { ask } = world;
  // What several operations would need is said before anything is asked.
  const migration = migrationOf(compared);
  if (options.asIs === true) return { migration, suggestions: [] };
  if (ask === undefined) {
    const open = namedRenames(compared.operations);
    const words = `What went and what came is signed as that. If it is one field under two names, say it again with one of these: ${open}.`;
    return { migration, suggestions: open === undefined ? [] : [words] };
  }
  const confirmed = await askRenames(compared.operations, ask);
  return { migration: migrationOf(await compare({ ...stated, ...confirmed })), suggestions: [] };

  /** Where the endpoint has the id of an operation, that one is meant. */
  async function compare(renames: Readonly<Record<string, string>>): Promise<SurfaceDiff> {
    const { ca } = options;
    const operation = optional(options, 'operation');
    const diff = await diffSurfaces({
      ...descriptions,
      renames,
      allowPrivate: isPrivateAllowed(options.allowPrivate, world),
      signal: world.signal,
      ...(operation !== undefined && { operation }),
      ...(typeof ca === 'string' && { ca }),
    });
    const own = diff.operations.filter((each) => each.endpointId === endpointId);
    return operation === undefined && own.length > 0 ? { ...diff, operations: own } : diff;
  }
}
