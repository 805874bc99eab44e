import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import type { PackageFile } from './package-file.ts';
import { firstFile, type ProjectFiles } from './project.ts';
import { CNAME_PLACES } from './see-site.ts';
import { S3_COMMAND, type SeenWorkflow } from './see-workflows.ts';

export const HOST_NAMES = ['netlify', 'cloudflare', 'vercel', 'github-pages', 'gitlab-pages', 's3'] as const;
export type HostName = (typeof HOST_NAMES)[number];
export const CI_NAMES = ['github', 'gitlab', 'none'] as const;
export type CiName = (typeof CI_NAMES)[number];

export const GITLAB_FILE = '.gitlab-ci.yml';
const WRANGLER_FILES = ['wrangler.toml', 'wrangler.json', 'wrangler.jsonc'];

export interface SeenHost {
  readonly name: HostName;
  readonly by: string;
}

interface SeenSoFar {
  readonly packageFile: PackageFile;
  readonly workflows: readonly SeenWorkflow[];
}

/** The host of the site. Undefined if no file shows it; throws if files disagree and none was named. */
export async function seeHost(
  files: ProjectFiles,
  { said, ...soFar }: SeenSoFar & { readonly said?: HostName },
): Promise<SeenHost | undefined> {
  if (said !== undefined) return { name: said, by: '--host' };
  const signs = new Map<HostName, string | undefined>([
    ['netlify', await firstFile(files, ['netlify.toml'])],
    ['cloudflare', await pagesOfCloudflare(files)],
    ['vercel', await firstFile(files, ['vercel.json'])],
    ['github-pages', await pagesOfGithub(files, soFar.workflows)],
    ['gitlab-pages', /^pages[ \t]*:/m.test((await files.read(GITLAB_FILE)) ?? '') ? GITLAB_FILE : undefined],
    ['s3', await bucket(files, soFar)],
  ]);
  const seen = [...signs].flatMap(([name, by]) => (by === undefined ? [] : [{ name, by }]));
  if (seen.length < 2) return seen[0];
  const list = seen.map(({ name, by }) => `${name} (${by})`).join(', ');
  throw new SettingRefusedError('--host', '(not given)', `Several are seen: ${list}. Say which one serves the site.`);
}

/** What runs the build, if that is not the host itself. */
export async function seeCi(
  files: ProjectFiles,
  { said, host, workflows }: { said?: CiName; host: SeenHost | undefined; workflows: readonly SeenWorkflow[] },
): Promise<CiName> {
  if (said !== undefined) return said;
  if (host?.name === 'github-pages') return 'github';
  if (host?.name === 'gitlab-pages') return 'gitlab';
  const isGitlab = (await files.read(GITLAB_FILE)) !== undefined;
  if (workflows.some(({ deploys }) => deploys.length > 0)) return 'github';
  // These hosts build what is pushed to them.
  if (host !== undefined && host.name !== 's3') return 'none';
  if (workflows.length > 0 && isGitlab) {
    throw new SettingRefusedError(
      '--ci',
      '(not given)',
      'Both github and gitlab are seen. Say which one builds the site.',
    );
  }
  return workflows.length > 0 ? 'github' : isGitlab ? 'gitlab' : 'none';
}

/** A Workers project has the same file, but serves no folder. */
async function pagesOfCloudflare(files: ProjectFiles): Promise<string | undefined> {
  const path = await firstFile(files, WRANGLER_FILES);
  const text = path === undefined ? undefined : await files.read(path);
  return text !== undefined && /\b(?:pages_build_output_dir|assets)\b/.test(text) ? path : undefined;
}

async function pagesOfGithub(files: ProjectFiles, workflows: readonly SeenWorkflow[]): Promise<string | undefined> {
  const deploying = workflows.find(({ deploys }) => deploys.some(({ how }) => how.startsWith('pages-')));
  return deploying?.path ?? (await firstFile(files, CNAME_PLACES));
}

async function bucket(files: ProjectFiles, { packageFile, workflows }: SeenSoFar): Promise<string | undefined> {
  if ([...packageFile.scripts.values()].some((script) => S3_COMMAND.test(script))) return 'package.json';
  const workflow = workflows.find(({ deploys }) => deploys.some(({ how }) => how === 's3'));
  if (workflow !== undefined) return workflow.path;
  return S3_COMMAND.test((await files.read(GITLAB_FILE)) ?? '') ? GITLAB_FILE : undefined;
}
