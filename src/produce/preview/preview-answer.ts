import { pageUrl } from '../../crawl/site-address.ts';
import { isOwnPage } from '../../extract/own-page.ts';
import { type PreviewNews, previewHtml } from './preview-html.ts';
import { askedPath, guessedMediaType, PREVIEW_ASSETS } from './preview-paths.ts';
import { putIntoPage } from './put-into-page.ts';

/** A site as its preview serves it. */
export interface PreviewedSite extends PreviewNews {
  readonly cleanUrls: boolean;
  /** A file of the site as it would be after a publish; undefined if it does not exist. */
  readonly read: (path: string) => Uint8Array | undefined;
  readonly assetText: (name: string) => string;
}

export interface PreviewAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

const ASSETS = ['preview.js', 'preview-style.css'];
const NO_BODY = new Uint8Array();

/** Answers like a static host, and adds what changed to pages. */
export function previewAnswer(target: string, site: PreviewedSite): PreviewAnswer {
  const asset = ASSETS.find((name) => target === `${PREVIEW_ASSETS}${name}`);
  if (asset !== undefined) return found(asset, Buffer.from(site.assetText(asset)));
  const base = site.site.pathname;
  const path = askedPath(target);
  if (path === undefined) return missing(site);
  if (path === '' && base !== '/') return redirect(base);
  const baseName = askedPath(base) ?? '';
  if (!path.startsWith(baseName)) return missing(site);
  return answerFile(path.slice(baseName.length), base, site);
}

function answerFile(path: string, base: string, site: PreviewedSite): PreviewAnswer {
  const isFolder = path === '' || path.endsWith('/');
  const names = isFolder
    ? [`${path}index.html`, `${path}index.htm`]
    : [path, ...(site.cleanUrls ? [`${path}.html`] : [])];
  for (const name of names) {
    const bytes = site.read(name);
    if (bytes !== undefined) return found(name, shownBytes(name, bytes, site));
  }
  if (!isFolder && site.read(`${path}/index.html`) !== undefined)
    return redirect(`${base}${path.split('/').map(encodeURIComponent).join('/')}/`);
  return missing(site);
}

/** Pages of Tidings itself are not altered. */
function shownBytes(name: string, bytes: Uint8Array, site: PreviewedSite): Uint8Array {
  if (!/\.html?$/i.test(name) || isOwnPage(bytes)) return bytes;
  const { cleanUrls } = site;
  return putIntoPage(bytes, previewHtml(pageUrl(site.site, name, { cleanUrls }), site));
}

function found(name: string, body: Uint8Array): PreviewAnswer {
  return { status: 200, headers: { 'content-type': guessedMediaType(name) }, body };
}

function redirect(location: string): PreviewAnswer {
  return { status: 302, headers: { location }, body: NO_BODY };
}

function missing({ read }: PreviewedSite): PreviewAnswer {
  const own = read('404.html');
  if (own !== undefined) return { status: 404, headers: { 'content-type': 'text/html' }, body: own };
  return {
    status: 404,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: Buffer.from('There is no such file.\n'),
  };
}
