import { join } from 'node:path';
import { canParseUrl } from '../codecs/primitives/can-parse-url.ts';
import { siteAddress } from '../crawl/site-address.ts';
import { SafetyStopError } from '../errors/safety-stop-error.ts';
import { resolveRoot } from '../io/files/built-site.ts';
import { createFileFolder } from '../io/files/folder.ts';
import { createOverlay } from '../io/files/overlay.ts';
import { copyFiles, openScratchFolder, type ScratchFolder } from '../io/files/scratch-folder.ts';
import { startLocalServer } from '../io/node/local-server.ts';
import { readPackageAsset } from '../io/node/package-assets.ts';
import { decodeLogParts, readLogParts } from '../log/log-parts.ts';
import type { ChangeDraft } from '../model/change.ts';
import { previewAnswer } from '../produce/preview/preview-answer.ts';
import { type PublishOptions, type PublishReport, publish, STATE_PATH } from './publish.ts';

export interface PreviewOptions
  extends Omit<
    PublishOptions,
    'url' | 'out' | 'dryRun' | 'force' | 'allowDeletes' | 'logKey' | 'logKeyText' | 'witnesses' | 'onChanges'
  > {
  readonly dir: string;
  /** Default: 4747, or another port if that is taken. A given port is never replaced; 0 is any free port. */
  readonly port?: number;
}

/** A site that is served to this machine until it is disposed. */
export interface RunningPreview extends AsyncDisposable {
  /** The address for a browser. */
  readonly url: string;
  /** The public address that its feeds name. */
  readonly site: string;
  /** False if the public address is unknown: the feeds then name this machine. */
  readonly isSiteKnown: boolean;
  readonly report: PublishReport;
  /** Why a publish would stop, if it would. */
  readonly stop?: string;
}

const PORT = 4747;

/**
 * Serves a built site as it would be after a publish, with the changes since the last one marked in its pages. Nothing is written into the site or its state:
 * the feeds are made in a temporary folder that is deleted with the preview.
 *
 * @example
 * await using preview = await previewSite({ dir: './site' });
 * console.log(preview.url); // http://127.0.0.1:4747/
 */
export async function previewSite(options: PreviewOptions): Promise<RunningPreview> {
  resolveRoot(options.dir);
  const scratch = await openScratchFolder('tidings-preview');
  try {
    return await servePreview(scratch, options);
  } catch (error) {
    await scratch[Symbol.asyncDispose]();
    throw error;
  }
}

async function servePreview(scratch: ScratchFolder, options: PreviewOptions): Promise<RunningPreview> {
  const { dir, cleanUrls = false, port } = options;
  const { report, stop, isSiteKnown, ...made } = await publishAside(scratch.path, options);
  const site = new URL(made.site);
  const read = createOverlay([scratch.path, dir]);
  const assetText = (name: string) => Buffer.from(readPackageAsset(name)).toString();
  const facts = { ...made, site, stop, cleanUrls, read, assetText };
  const wanted = { port: port ?? PORT, mayMove: port === undefined };
  const server = await startLocalServer(wanted, (target) => previewAnswer(target, facts));
  return {
    url: `http://127.0.0.1:${server.port}${site.pathname}`,
    site: site.href,
    isSiteKnown,
    report,
    ...(stop !== undefined && { stop }),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await scratch[Symbol.asyncDispose]();
    },
  };
}

interface MadeAside extends Pick<RunningPreview, 'report' | 'site' | 'isSiteKnown'> {
  readonly changes: readonly ChangeDraft[];
  readonly isFirst: boolean;
  readonly stop?: string | undefined;
}

/** Only the files that the log and the pages need. */
const STATE_FILE = /\.ndjson$/;

async function publishAside(out: string, options: PreviewOptions): Promise<MadeAside> {
  const { dir, state, port: _, ...rest } = options;
  const ownState = join(out, STATE_PATH);
  await copyFiles(state ?? join(dir, STATE_PATH), ownState, (name) => STATE_FILE.test(name));
  const known = await logAt(ownState);
  const said = rest.site ?? known?.site;
  const site = siteAddress(said ?? 'http://127.0.0.1/', { force: true }).href;
  const previous = rest.previous ?? (known === undefined ? undefined : dir);
  let changes: readonly ChangeDraft[] = [];
  const publishing: PublishOptions = {
    ...rest,
    ...{ dir, site, out, force: true, isPreview: true },
    ...(previous !== undefined && { previous }),
    allowPrivate: isOnThisMachine(previous) || rest.allowPrivate === true,
    onChanges: (told) => {
      changes = told;
    },
  };
  const { report, stop } = await publishAnyway(publishing);
  const isFirst = changes.length > 0 && (await logAt(ownState))?.changes.length === changes.length;
  return { site, isSiteKnown: said !== undefined, changes, report, stop, isFirst };
}

/** Reports what would stop a publish, and shows the rest anyway. */
async function publishAnyway(options: PublishOptions): Promise<Pick<MadeAside, 'report' | 'stop'>> {
  try {
    return { report: await publish(options) };
  } catch (error) {
    if (!(error instanceof SafetyStopError)) throw error;
    return { report: await publish({ ...options, allowDeletes: true }), stop: error.message };
  }
}

async function logAt(folder: string) {
  const parts = await readLogParts(createFileFolder(folder));
  return parts.length === 0 ? undefined : decodeLogParts(parts, folder);
}

/** A person at this machine named the address. A site elsewhere may lead to private addresses only with `allowPrivate`. */
function isOnThisMachine(previous: string | undefined): boolean {
  if (previous === undefined || !canParseUrl(previous)) return false;
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(previous).hostname);
}
