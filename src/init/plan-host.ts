import { hasPlugin, publishCommand, type SetupFacts, wholeCommand } from './setup-facts.ts';
import type { SetupStep, WantedFile } from './setup-step.ts';

const names = (text: string) => text.includes('tidings');

/** The file of a host that builds the site itself. Undefined if the host has none, or needs nothing. */
export function wantedHostFile(facts: SetupFacts): WantedFile | undefined {
  const { host, output } = facts;
  const command = wholeCommand(facts);
  if (host?.name === 'netlify') {
    return {
      path: 'netlify.toml',
      text: `[build]\n  command = "${command}"\n  publish = "${output}"\n`,
      isDone: (text) => hasPlugin(facts) || names(text),
      where: 'below [build], in place of its command',
      lines: `command = "${command}"`,
    };
  }
  if (host?.name !== 'vercel') return undefined;
  const settings = {
    ...(!hasPlugin(facts) && { buildCommand: command }),
    outputDirectory: output,
    headers: VERCEL_HEADERS,
  };
  return {
    path: 'vercel.json',
    text: `${JSON.stringify(settings, null, 2)}\n`,
    isDone: (text) => text.includes('ai-changefeed') && (hasPlugin(facts) || names(text)),
    where: 'among its settings (Vercel does not read _headers)',
    lines: JSON.stringify(settings, null, 2).split('\n').slice(1, -1).join('\n').replace(/^ {2}/gm, ''),
  };
}

/** What must be done at a host besides files. */
export function hostSteps(facts: SetupFacts): SetupStep[] {
  const { host, output, ci } = facts;
  if (host?.name === 'cloudflare' && ci === 'none' && !hasPlugin(facts)) {
    const what = 'In the settings of the project at Cloudflare, make this the build command:';
    return [{ is: 'do', what, lines: wholeCommand(facts) }];
  }
  if (host?.name === 's3') {
    const type = (path: string, media: string) =>
      `aws s3 cp ${output}/${path} s3://your-bucket/${path} --content-type ${media}`;
    const lines = [
      type('.well-known/ai-changefeed', 'application/json'),
      type('ai-changes.ndjson', 'application/x-ndjson'),
    ];
    const what = 'S3 does not read _headers. Behind the upload of the site, give these files their media types:';
    return [{ is: 'do', what, lines: lines.join('\n') }];
  }
  if (host === undefined && ci === 'none' && !hasPlugin(facts)) {
    return [{ is: 'do', what: 'After each build, and before it is uploaded, run:', lines: publishCommand(facts) }];
  }
  return [];
}

const VERCEL_HEADERS = [
  { source: '/.well-known/ai-changefeed', headers: [{ key: 'Content-Type', value: 'application/json' }] },
  { source: '/ai-changes.ndjson', headers: [{ key: 'Content-Type', value: 'application/x-ndjson' }] },
];
