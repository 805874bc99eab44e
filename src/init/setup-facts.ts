import { GENERATORS, type GeneratorName } from './generators.ts';
import type { PackageFile } from './package-file.ts';
import type { SeenGenerator } from './see-generator.ts';
import type { CiName, SeenHost } from './see-host.ts';
import type { SeenAddress } from './see-site.ts';
import type { SeenWorkflow } from './see-workflows.ts';

/** Everything that was found in a project or stated by its owner. */
export interface SetupFacts {
  readonly generator: SeenGenerator | undefined;
  readonly site: SeenAddress;
  /** The folder of the built HTML, relative to the project: plain names, safe in a command. */
  readonly output: string;
  readonly host: SeenHost | undefined;
  readonly ci: CiName;
  readonly packageFile: PackageFile;
  readonly workflows: readonly SeenWorkflow[];
  readonly wantsKey: boolean;
  /** Of this program. */
  readonly version: string;
}

/** Generators that publish during their build, with our plugin. */
const WITH_PLUGIN: readonly GeneratorName[] = ['vite', 'vitepress', 'astro', 'docusaurus', 'eleventy'];

export function hasPlugin({ generator }: Pick<SetupFacts, 'generator'>): boolean {
  return generator !== undefined && WITH_PLUGIN.includes(generator.name);
}

/** Whether the site is built on its owner's machine, as far as can be seen. */
export function isBuiltHere({ host, ci }: Pick<SetupFacts, 'host' | 'ci'>): boolean {
  return host === undefined && ci === 'none';
}

/** The command that publishes what was built. The URL of the site is in the settings. */
export function publishCommand({ packageFile, version, output, site }: SetupFacts): string {
  const program = packageFile.isThere ? 'npx tidings' : `npx --yes tidings@${version}`;
  return `${program} publish ${output} --previous ${site.site.href}`;
}

/** The build command. Undefined if it cannot be known. */
export function buildCommand({ packageFile, generator, output }: SetupFacts): string | undefined {
  const script = ['build', 'docs:build'].find((name) => packageFile.scripts.has(name));
  if (script !== undefined) return `${packageFile.manager.run} ${script}`;
  if (generator === undefined) return undefined;
  const { build } = GENERATORS[generator.name];
  if (generator.name === 'vitepress') return output.startsWith('docs/') ? `${build} docs` : build;
  if (generator.name !== 'sphinx') return build;
  return `${build} ${(generator.config ?? 'conf.py').replace(/\/?conf\.py$/, '') || '.'} ${output}`;
}

/** Build and publish in one command, for hosts that run only one. */
export function wholeCommand(facts: SetupFacts): string {
  const build = buildCommand(facts) ?? 'your-build';
  return hasPlugin(facts) ? build : `${build} && ${publishCommand(facts)}`;
}
