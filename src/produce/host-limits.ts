/** The facts about a site that the limits of hosts apply to. */
export interface HostedSite {
  /** All files of the site, including those of its author. */
  readonly files: number;
  /** The sizes of the published files, by path. */
  readonly sizes: ReadonlyMap<string, number>;
  /** The text of `_headers`. */
  readonly headers: string;
}

const MIB = 1024 * 1024;
/** developers.cloudflare.com/pages/platform/limits and /pages/configuration/headers. */
const CLOUDFLARE_PAGES = {
  files: 20_000,
  paidFiles: 100_000,
  fileBytes: 25 * MIB,
  headerRules: 100,
  headerLine: 2000,
};

/** What a host with known limits would refuse or silently omit. Each is a sentence that says what to do. */
export function hostLimitRemarks({ files, sizes, headers }: HostedSite): readonly string[] {
  const { fileBytes, paidFiles, headerRules, headerLine } = CLOUDFLARE_PAGES;
  const lines = headers.split(/\r?\n/);
  const rules = lines.filter((line) => /^[^\s#]/.test(line)).length;
  const longest = Math.max(...lines.map((line) => line.length));
  const large = [...sizes].filter(([, bytes]) => bytes > fileBytes);
  return [
    ...(files > CLOUDFLARE_PAGES.files
      ? [
          `the site has ${files} files. Cloudflare Pages takes ${CLOUDFLARE_PAGES.files}, and ${paidFiles} on paid plans. A Markdown twin of each page doubles them: leave llms-txt out of the formats, or use another host.`,
        ]
      : []),
    ...large.map(
      ([path, bytes]) =>
        `${path} has ${Math.ceil(bytes / MIB)} MiB. Cloudflare Pages takes 25 MiB a file. Smaller --rotate-bytes or --list-bytes keep files small; a larger one of another kind needs another host.`,
    ),
    ...(rules > headerRules
      ? [
          `_headers has ${rules} rules. Cloudflare Pages takes ${headerRules} and leaves out the rest, which are those of the feeds. Join rules of your own by patterns such as /assets/*.`,
        ]
      : []),
    ...(longest > headerLine
      ? [`_headers has a line of ${longest} characters. Cloudflare Pages takes ${headerLine}. Shorten it.`]
      : []),
  ];
}
