import { KEY_PATH } from './plan-key.ts';
import { firstFile, type ProjectFiles } from './project.ts';
import { hasPlugin, isBuiltHere, type SetupFacts } from './setup-facts.ts';
import type { WantedFile } from './setup-step.ts';

/** What the settings of a generator need so that its build publishes, and where to create them if there are none. */
interface PluginRecipe {
  readonly door: string;
  readonly lines: string;
  readonly where: string;
  readonly path: string;
  readonly text: string;
}

/** As the settings of a generator read them; nothing here does. */
const VARIABLES = ['process', 'env'].join('.');

/** The settings of a generator with our plugin. Undefined if there is no plugin for it. */
export async function wantedPlugin(files: ProjectFiles, facts: SetupFacts): Promise<WantedFile | undefined> {
  const { generator, site } = facts;
  if (generator === undefined || !hasPlugin(facts)) return undefined;
  const isBelowDocs = (await firstFile(files, ['docs/index.md'])) !== undefined;
  const recipe = recipeOf(facts, { site: site.site, folder: isBelowDocs ? 'docs/' : '' });
  const path = generator.config ?? recipe.path;
  return { ...recipe, path, isDone: (text) => text.includes(recipe.door) };
}

function recipeOf(facts: SetupFacts, { site, folder }: { site: URL; folder: string }): PluginRecipe {
  const door = `tidings/${facts.generator?.name}`;
  const own = importLine('tidings', door);
  const address = quoted(site.href);
  const options = optionsText([`site: ${address}`, ...keyOption(facts)]);
  const otherOptions = optionsText(keyOption(facts));
  switch (facts.generator?.name) {
    case 'vitepress': {
      const wrapper = importLine('{ withTidings }', door);
      const path = `${folder}.vitepress/config.mjs`;
      const text = `${wrapper}\n\nexport default withTidings({}, ${options});\n`;
      const lines = `${wrapper}\n\nexport default withTidings({ /* your settings */ }, ${options});`;
      return { door, path, text, where: 'around what it exports', lines };
    }
    case 'astro': {
      const define = importLine('{ defineConfig }', 'astro/config');
      const call = `tidings(${otherOptions === '{}' ? '' : otherOptions})`;
      const text = `${define}\n${own}\n\nexport default defineConfig({\n  site: ${address},\n  integrations: [${call}],\n});\n`;
      const lines = `${own}\n\nsite: ${address},\nintegrations: [/* yours, then */ ${call}],`;
      return { door, path: 'astro.config.mjs', text, where: 'as the last of its integrations', lines };
    }
    case 'docusaurus': {
      const lines = `plugins: [[${quoted(door)}, ${otherOptions}]],`;
      const place = `url: ${quoted(site.origin)},\n  baseUrl: ${quoted(site.pathname)}`;
      const text = `export default {\n  title: 'Docs',\n  ${place},\n  ${lines}\n};\n`;
      return { door, path: 'docusaurus.config.mjs', text, where: 'among its settings', lines };
    }
    case 'eleventy': {
      const call = `eleventyConfig.addPlugin(tidings, ${options});`;
      const text = `${own}\n\nexport default function (eleventyConfig) {\n  ${call}\n}\n`;
      return { door, path: 'eleventy.config.mjs', text, where: 'as the last plugin', lines: `${own}\n\n${call}` };
    }
    default: {
      const text = `${own}\n\nexport default { plugins: [tidings(${options})] };\n`;
      const lines = `${own}\n\nplugins: [/* yours, then */ tidings(${options})],`;
      return { door, path: 'vite.config.mjs', text, where: 'as the last of its plugins', lines };
    }
  }
}

/** A plugin does not read our settings or variables. */
function keyOption(facts: SetupFacts): string[] {
  if (!facts.wantsKey) return [];
  return isBuiltHere(facts) ? [`logKey: ${quoted(`./${KEY_PATH}`)}`] : [`logKeyText: ${VARIABLES}.TIDINGS_LOG_KEY`];
}

function optionsText(options: readonly string[]): string {
  return options.length === 0 ? '{}' : `{ ${options.join(', ')} }`;
}

function importLine(what: string, door: string): string {
  return `import ${what} from ${quoted(door)};`;
}

/** URLs and door names contain no quotes: see `seeProject`. */
function quoted(text: string): string {
  return `'${text}'`;
}
