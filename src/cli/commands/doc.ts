import { InvalidArgumentError, Option } from 'commander';
import { readDocument } from '../../doors/read-document.ts';
import { readDocumentFile } from '../../doors/read-document-file.ts';
import { documentRefusedError } from '../../errors/refusals.ts';
import { addCrawlOptions, crawlOptionsOf } from '../crawl-options.ts';
import { ExitCode } from '../exit-code.ts';
import { addRuleOptions, ruleOptionsOf } from '../rule-options.ts';
import type { Verb } from '../verb.ts';

export const doc: Verb = {
  example:
    'tidings doc https://docs.example/limits\ntidings doc https://docs.example/limits --markdown --refresh\ntidings doc page.html --url https://docs.example/limits',

  configure(command) {
    command
      .argument('<url|file>', 'a page on the web, or a file (- for standard input) with --url')
      .option('--json', 'print the AIDocument (the default)')
      .addOption(new Option('--markdown', 'print only the Markdown').conflicts('json'))
      .option('--refresh', 'ask the site even if the cached copy is fresh')
      .option('--render', 'run the page’s scripts first (needs playwright-core and a Chromium)')
      .addOption(new Option('--chromium <file>', 'path of the Chromium to use').env('TIDINGS_CHROMIUM'))
      .addOption(
        new Option('--allow-unsandboxed-browser', 'also render as root, where Chromium has no sandbox').env(
          'TIDINGS_ALLOW_UNSANDBOXED_BROWSER',
        ),
      )
      .option('--timeout <seconds>', 'timeout for the whole request (default: 20)', seconds)
      .option('--url <url>', 'the URL of the file');
    addCrawlOptions(addRuleOptions(command));
  },

  async run([target = ''], options, world) {
    const { markdown, refresh, render, chromium, allowUnsandboxedBrowser, timeout, url } = options as DocOptions;
    const document = isAddress(target)
      ? await readDocument(pageOf(target, url), {
          ...crawlOptionsOf(options, world),
          ...ruleOptionsOf(options, world),
          refresh: refresh === true,
          render: render === true,
          allowUnsandboxedBrowser: allowUnsandboxedBrowser === true,
          ...(chromium !== undefined && { chromiumPath: chromium }),
          ...(timeout !== undefined && { timeoutMs: timeout * 1000 }),
          signal: world.signal,
          onDiagnostic: ({ message }) => world.complain(`tidings: ${message}`),
        })
      : await readDocumentFile(target, addressOf(target, options as DocOptions), ruleOptionsOf(options, world));
    await world.print(markdown === true ? document.content.markdown.trimEnd() : JSON.stringify(document, null, 2));
    return ExitCode.Done;
  },
};

interface DocOptions {
  readonly markdown?: boolean;
  readonly refresh?: boolean;
  readonly render?: boolean;
  readonly chromium?: string;
  readonly allowUnsandboxedBrowser?: boolean;
  readonly timeout?: number;
  readonly url?: string;
}

/** Whatever begins as an address does, so that `ftp://…` is not looked for on the disk. */
function isAddress(target: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(target);
}

function pageOf(target: string, url: string | undefined): string {
  if (url !== undefined) throw documentRefusedError('--url is for a file; a page on the web has its own URL.');
  return target;
}

function addressOf(file: string, { url, refresh, render }: DocOptions): string {
  if (url === undefined) {
    throw documentRefusedError(
      `"${file}" is no URL. A page on the web begins with https://; for a file, say with --url where it belongs.`,
    );
  }
  const option = refresh === true ? '--refresh' : render === true ? '--render' : undefined;
  if (option !== undefined) throw documentRefusedError(`${option} is for a page on the web; ${file} is a file.`);
  return url;
}

function seconds(text: string): number {
  const value = Number(text);
  if (!/^\d+(?:\.\d+)?$/.test(text) || value <= 0 || value > 86_400) {
    throw new InvalidArgumentError('Give a number of seconds above 0, at most 86400.');
  }
  return value;
}
