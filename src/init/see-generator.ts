import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import { GENERATOR_NAMES, GENERATORS, type GeneratorName } from './generators.ts';
import type { PackageFile } from './package-file.ts';
import type { ProjectFiles } from './project.ts';

export interface SeenGenerator {
  readonly name: GeneratorName;
  /** The file that shows it. */
  readonly by: string;
  /** Its settings file, if there is one. */
  readonly config?: string;
  readonly configText: string;
}

/** The generator of a project. Undefined if none is found; throws if several are found and none was named. */
export async function seeGenerator(
  files: ProjectFiles,
  { packageFile, said }: { readonly packageFile: PackageFile; readonly said?: GeneratorName },
): Promise<SeenGenerator | undefined> {
  if (said !== undefined) return await named(files, said);
  const seen: SeenGenerator[] = [];
  for (const name of GENERATOR_NAMES) {
    const found = await look(files, name, packageFile);
    if (found !== undefined) seen.push(found);
  }
  const [first, ...others] = withoutEngines(seen);
  if (others.length === 0) return first;
  const list = [first, ...others].map((each) => `${each?.name} (${each?.by})`).join(', ');
  throw new SettingRefusedError('--generator', '(not given)', `Several are seen: ${list}. Say which one it is.`);
}

async function named(files: ProjectFiles, name: GeneratorName): Promise<SeenGenerator> {
  const { config, configText } = await settingsOfGenerator(files, name, false);
  return { name, by: '--generator', configText, ...(config !== undefined && { config }) };
}

async function look(
  files: ProjectFiles,
  name: GeneratorName,
  { packages }: PackageFile,
): Promise<SeenGenerator | undefined> {
  const { package: own, mark } = GENERATORS[name];
  if (own !== undefined && !packages.has(own)) return undefined;
  const { config, configText } = await settingsOfGenerator(files, name, true);
  if (config !== undefined) return { name, by: config, config, configText };
  if (own === undefined || mark !== undefined) return undefined;
  // Many projects use Vite only for their tests.
  if (name === 'vite' && (await files.read('index.html')) === undefined) return undefined;
  return { name, by: 'package.json', configText: '' };
}

async function settingsOfGenerator(
  files: ProjectFiles,
  name: GeneratorName,
  marked: boolean,
): Promise<{ readonly config?: string; readonly configText: string }> {
  const { configs, mark } = GENERATORS[name];
  for (const config of configs) {
    const configText = await files.read(config);
    if (configText !== undefined && (!marked || mark === undefined || mark.test(configText))) {
      return { config, configText };
    }
  }
  return { configText: '' };
}

/** Vite is part of other generators, and Hexo uses the same settings file as Jekyll. */
function withoutEngines(seen: readonly SeenGenerator[]): readonly SeenGenerator[] {
  const names = seen.map(({ name }) => name);
  const others = seen.filter(({ name }) => name !== 'vite');
  const narrowed = others.length > 0 ? others : seen;
  return names.includes('hexo') ? narrowed.filter(({ name }) => name !== 'jekyll') : narrowed;
}
