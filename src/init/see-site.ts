import { isRecord } from '../codecs/primitives/json-record.ts';
import { oneLine } from '../codecs/primitives/one-line.ts';
import { shorten } from '../codecs/primitives/shorten.ts';
import { siteAddress } from '../crawl/site-address.ts';
import { GENERATORS } from './generators.ts';
import { type PackageFile, parseObject } from './package-file.ts';
import type { ProjectFiles } from './project.ts';
import type { SeenGenerator } from './see-generator.ts';

export const CONFIG_NAME = 'tidings.config.json';
/** The folders from which generators copy files unchanged. A CNAME in them is for GitHub Pages. */
export const CNAME_PLACES = ['', 'public/', 'static/', 'docs/public/', 'docs/', 'source/', 'src/'].map(
  (place) => `${place}CNAME`,
);
const SHOWN = 200;
/** URLs that generators write into new projects. */
const PLACEHOLDER = /(?:^|\.)(?:example\.(?:com|org|net)|(?:your-domain|yoursite|mysite|mydomain)\.\w+)$/;
/** Hosts of source code, not of pages. */
const CODE_HOST = /(?:^|\.)(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org|npmjs\.com)$/;

export interface SeenAddress {
  readonly site: URL;
  /** The file or option that says so. */
  readonly by: string;
}

/** The public URL of the site, from the first file that has one. An invalid one is remarked on. */
export async function seeSite(
  files: ProjectFiles,
  { generator, packageFile }: { readonly generator: SeenGenerator | undefined; readonly packageFile: PackageFile },
  onRemark: (remark: string) => void,
): Promise<SeenAddress | undefined> {
  const told: (readonly [string, string | undefined])[] = [[CONFIG_NAME, await configuredSite(files)]];
  if (generator?.config !== undefined) {
    told.push([generator.config, GENERATORS[generator.name].site?.(generator.configText)]);
  }
  for (const path of CNAME_PLACES) {
    const domain = (await files.read(path))?.trim();
    told.push([path, domain && /^[\w.-]+$/.test(domain) ? `https://${domain}/` : undefined]);
  }
  told.push(['package.json', packageFile.homepage]);
  for (const [by, address] of told) {
    const site = address === undefined ? undefined : publicSite(address, by, onRemark);
    if (site !== undefined) return { site, by };
  }
  return undefined;
}

async function configuredSite(files: ProjectFiles): Promise<string | undefined> {
  const text = await files.read(CONFIG_NAME);
  const value = text === undefined ? undefined : parseObject(text);
  return isRecord(value) && typeof value.site === 'string' ? value.site : undefined;
}

function publicSite(address: string, by: string, onRemark: (remark: string) => void): URL | undefined {
  const refused = (why: string) => {
    onRemark(`${by}: ${shorten(oneLine(address), SHOWN)} is not taken for the address of the site: ${why}`);
    return undefined;
  };
  try {
    const site = siteAddress(address);
    if (PLACEHOLDER.test(site.hostname)) return refused('it is an example.');
    return by === 'package.json' && CODE_HOST.test(site.hostname) ? undefined : site;
  } catch {
    return /^https?:\/\//i.test(address) ? refused('it is not public, or not https.') : undefined;
  }
}
