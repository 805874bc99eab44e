import { Option } from 'commander';
import { type DataExport, type ExportDataOptions, exportData } from '../../doors/export.ts';
import type { S3Ways } from '../../doors/export-target.ts';
import { TidingsError } from '../../errors/tidings-error.ts';
import { wait } from '../../io/node/timer-wait.ts';
import { byteText } from '../byte-text.ts';
import { addDataOptions } from '../data-options.ts';
import { ExitCode } from '../exit-code.ts';
import { readHubConfig } from '../hub-config-options.ts';
import { allowPrivateOption, caOption, isPrivateAllowed, wholeNumber } from '../option-values.ts';
import type { Verb } from '../verb.ts';
import type { World } from '../world.ts';

/** The minimum time between two writes to a terminal. */
const LEAST_MS = 100;

export const exportVerb: Verb = {
  example: [
    'tidings export --data ./data --base-url https://hub.example/ --to /var/www/hub',
    'tidings export --data ./data --base-url https://hub.example/ --to s3://feeds/hub --every 60',
  ].join('\n'),

  configure(command) {
    addDataOptions(command)
      .requiredOption('--to <place>', 'the folder to write to, or s3://bucket/prefix')
      .addOption(
        new Option('--base-url <url>', 'public URL of the hub (default: "baseUrl" in the settings)').env(
          'TIDINGS_BASE_URL',
        ),
      )
      .option('--site <url>', 'where the files will be served, refused unless it is the URL of the hub')
      .addOption(
        new Option('--endpoint <url>', 'URL of an S3-compatible server other than AWS').env('AWS_ENDPOINT_URL'),
      )
      .addOption(allowPrivateOption('allow an endpoint at a private address'))
      .addOption(caOption())
      .option(
        '--even-private',
        'export even if the hub is private, so that anyone with access to the files can read its feeds',
      )
      .option('--every <seconds>', 'repeat with this pause until stopped', wholeNumber(1))
      .option('--dry-run', 'show what would be written, but write nothing')
      .option('--json', 'print what was written as JSON');
  },

  async run(_args, options, world) {
    const { every, ...rest } = options as unknown as ExportOptions;
    const once = () => exportOnce(rest, options, world);
    if (every === undefined) {
      await once();
      return ExitCode.Done;
    }
    while (!world.signal.aborted) {
      await once().catch((error: unknown) => {
        // What may pass is tried again; all else needs somebody.
        if (!(error instanceof TidingsError) || error.recovery !== 'retry-later') throw error;
        if (!world.signal.aborted) world.complain(`tidings: ${error.message}`);
      });
      await wait(every * 1000, world.signal);
    }
    return ExitCode.Done;
  },
};

interface ExportOptions extends Pick<ExportDataOptions, 'to' | 'site' | 'dryRun' | 'evenPrivate'> {
  readonly every?: number;
  readonly json?: boolean;
  readonly endpoint?: string;
  readonly ca?: string;
  readonly allowPrivate?: boolean;
}

async function exportOnce(
  { to, site, dryRun = false, evenPrivate = false, json, endpoint, ca, allowPrivate }: ExportOptions,
  options: Readonly<Record<string, unknown>>,
  world: World,
): Promise<void> {
  // Nobody is asked for pages, so no pace of the settings is too fast.
  const config = readHubConfig({ ...options, allowPrivate: true }, world);
  let shownMs = 0;
  const onProgress: ExportDataOptions['onProgress'] = ({ looked, written }) => {
    if (Date.now() - shownMs < LEAST_MS) return;
    shownMs = Date.now();
    world.status(`${looked} documents looked at, ${written} written`);
  };
  world.status('looking at what is there');
  const s3 = {
    ...s3Environment(world.env),
    endpoint,
    allowPrivate: isPrivateAllowed(allowPrivate, world),
    ...(ca !== undefined && { ca }),
  };
  const asked = { to, s3, site, dryRun, evenPrivate, signal: world.signal, onProgress };
  const done = await exportData(config, asked).finally(() => world.status(''));
  await world.print(json ? JSON.stringify({ ...done, dryRun }) : exportText(done, dryRun));
}

/** As the tools of AWS read it. */
function s3Environment(env: World['env']): Pick<S3Ways, 'credentials' | 'region'> {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: token } = env;
  const region = env.AWS_REGION || env.AWS_DEFAULT_REGION || undefined;
  const sessionToken = token || undefined;
  return {
    region,
    ...(accessKeyId && secretAccessKey && { credentials: { accessKeyId, secretAccessKey, sessionToken } }),
  };
}

function exportText({ documents, written, bytesWritten, target, site }: DataExport, dryRun: boolean): string {
  const news = `${dryRun ? 'Would write' : 'Wrote'} ${written} ${written === 1 ? 'file' : 'files'}, ${byteText(bytesWritten)}`;
  return `${written === 0 ? 'Nothing is new' : news}: ${documents} documents at ${target}, for ${site}`;
}
