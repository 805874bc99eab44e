import { siteAddress } from '../crawl/site-address.ts';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import { GENERATORS, type GeneratorName } from './generators.ts';
import { readPackageFile } from './package-file.ts';
import type { ProjectFiles } from './project.ts';
import { type SeenGenerator, seeGenerator } from './see-generator.ts';
import { type CiName, type HostName, seeCi, seeHost } from './see-host.ts';
import { type SeenAddress, seeSite } from './see-site.ts';
import { seeWorkflows } from './see-workflows.ts';
import type { SetupFacts } from './setup-facts.ts';

/** What the owner says about a project. It overrides what is found. */
export interface SaidOfProject {
  readonly site?: string;
  /** The folder of the built HTML. */
  readonly dir?: string;
  readonly generator?: GeneratorName;
  readonly host?: HostName;
  readonly ci?: CiName;
  readonly wantsKey: boolean;
  readonly version: string;
  readonly onRemark: (remark: string) => void;
  /** Asks a person. Absent if nobody could answer. */
  readonly ask?: (question: string) => Promise<string>;
}

/** Names that need no quoting in any shell, in YAML and in TOML. */
const PLAIN_PATH = /^(?:\.|(?!\.\.(?:\/|$))[\w.@][\w.@-]*(?:\/(?!\.\.(?:\/|$))[\w.@][\w.@-]*)*)$/;
const PLAIN_URL = /^https?:\/\/[\w.:/%~-]+$/;

/** Throws a {@link SettingRefusedError} that names the option for whatever is missing. */
export async function seeProject(files: ProjectFiles, said: SaidOfProject): Promise<SetupFacts> {
  const { onRemark, wantsKey, version } = said;
  const packageFile = await readPackageFile(files, onRemark);
  const generator = await seeGenerator(files, { packageFile, ...(said.generator && { said: said.generator }) });
  const output = await outputOf(said, generator);
  const workflows = await seeWorkflows(files, onRemark);
  const host = await seeHost(files, { packageFile, workflows, ...(said.host && { said: said.host }) });
  const ci = await seeCi(files, { host, workflows, ...(said.ci && { said: said.ci }) });
  const site = (await saidSite(said.site)) ?? (await seeSite(files, { generator, packageFile }, onRemark));
  const facts = { generator, output, host, ci, packageFile, workflows, wantsKey, version };
  return { ...facts, site: plain(site ?? (await askedSite(said))) };
}

async function outputOf(said: SaidOfProject, generator: SeenGenerator | undefined): Promise<string> {
  const seen = generator && GENERATORS[generator.name].output(generator.config ?? '', generator.configText);
  const asked = said.dir ?? seen ?? (await said.ask?.('Which folder holds the built HTML? '));
  const folder = (asked ?? '')
    .trim()
    .replace(/^(?:\.\/)+(?=.)/, '')
    .replace(/(?<=.)\/+$/, '');
  if (PLAIN_PATH.test(folder)) return folder;
  if (folder === '') {
    const remedy =
      'No generator is seen here. Say with --dir <folder> where the built HTML is, like --dir dist. ' +
      'A site without such a folder is read live: tidings publish https://… --out <folder>.';
    throw new SettingRefusedError('--dir', '(not given)', remedy);
  }
  throw new SettingRefusedError('--dir', folder, 'Give a folder below the project, by plain names: like --dir dist.');
}

async function saidSite(site: string | undefined): Promise<SeenAddress | undefined> {
  return site === undefined ? undefined : { site: siteAddress(site), by: '--site' };
}

async function askedSite({ ask }: SaidOfProject): Promise<SeenAddress> {
  const answer = (await ask?.('The public address of the site, like https://docs.example/: '))?.trim();
  if (answer) return { site: siteAddress(answer), by: 'your answer' };
  const remedy = 'No file here tells the public address of the site. Add --site https://…';
  throw new SettingRefusedError('--site', '(not given)', remedy);
}

function plain(seen: SeenAddress): SeenAddress {
  if (PLAIN_URL.test(seen.site.href)) return seen;
  const remedy = 'It goes into commands and settings: use letters, digits and - . _ ~ % / only.';
  throw new SettingRefusedError('--site', seen.site.href, remedy);
}
