import { APIKEYS, KEYS } from './key-verbs.ts';
import { SOURCE } from './source-verbs.ts';
import { SUBSCRIPTION } from './subscription-verbs.ts';
import { SURFACE } from './surface-verbs.ts';
import type { VerbEntry, VerbGroup } from './verb.ts';

/** Every verb, in the order of the help. Light: what a verb does is loaded when it is asked for. */
export const VERBS: readonly (VerbEntry | VerbGroup)[] = [
  {
    name: 'init',
    args: '[dir]',
    summary: 'Set this site up: looks at the project, writes settings and the step of CI, says what is left to do.',
    load: async () => (await import('./commands/init.ts')).initVerb,
  },
  {
    name: 'publish',
    args: '<dir|url>',
    summary: 'Make my change feeds: compare the site with what was published and write what changed.',
    load: async () => (await import('./commands/publish.ts')).publishVerb,
  },
  {
    name: 'preview',
    args: '<dir>',
    summary: 'Show me here what I would publish: the site and its feeds, with what changed marked. Writes nothing.',
    load: async () => (await import('./commands/preview.ts')).previewVerb,
  },
  {
    name: 'announce',
    args: '<dir>',
    summary: 'Tell hubs and search engines what changed, once the site is public: WebSub, IndexNow, hubs of Tidings.',
    load: async () => (await import('./commands/announce.ts')).announceVerb,
  },
  {
    name: 'diff',
    args: '<old> <new>',
    summary: 'What would my readers see as changed between two builds?',
    load: async () => (await import('./commands/diff.ts')).diff,
  },
  {
    name: 'check',
    args: '<url|dir|file>',
    summary: 'Is it right? Every clause of the specification, with what was seen and what to do.',
    load: async () => (await import('./commands/check.ts')).checkVerb,
  },
  {
    name: 'audit',
    args: '<url|dir>',
    summary:
      'Was anything left out or rewritten? The provable log against what was seen before, feeds and files against the log.',
    load: async () => (await import('./commands/audit.ts')).auditVerb,
  },
  {
    name: 'discover',
    args: '<url>',
    summary: 'What does this site offer: feeds, sitemaps, Markdown, terms of use; and what would you choose?',
    load: async () => (await import('./commands/discover.ts')).discoverVerb,
  },
  {
    name: 'follow',
    args: '<url...>',
    summary: 'Tell me what changes: one JSON object a line, every change once it is published.',
    load: async () => (await import('./commands/follow.ts')).followVerb,
  },
  {
    name: 'sync',
    args: '[url...]',
    summary: 'Keep an index equal to sites: what changed is written and embedded, what is gone is removed.',
    load: async () => (await import('./commands/sync.ts')).syncVerb,
  },
  {
    name: 'honesty',
    args: '<source|url>',
    summary: 'Does this feed tell the truth about its pages? What was told and not seen, seen and not told.',
    load: async () => (await import('./commands/honesty.ts')).honestyVerb,
  },
  {
    name: 'harvest',
    args: '<site>',
    summary: 'Follow a site as a person does: its ResourceSync as Atom feeds, one for each collection and one for all.',
    load: async () => (await import('./commands/harvest.ts')).harvestVerb,
  },
  {
    name: 'doc',
    args: '<url|file>',
    summary: 'Read one page: its content as Markdown, its structure, where it comes from, as an AIDocument.',
    load: async () => (await import('./commands/doc.ts')).doc,
  },
  {
    name: 'risk',
    args: '<url|file>',
    summary: 'Score a page for prompt injection, and say which rule found what.',
    load: async () => (await import('./commands/risk.ts')).risk,
  },
  {
    name: 'read',
    args: '[origin]',
    summary: 'Which endpoints does an API have, by its own signed word? For agents that act on it.',
    load: async () => (await import('./commands/read.ts')).read,
  },
  SURFACE,
  KEYS,
  {
    name: 'verify-domain',
    args: '<domain>',
    summary: 'Prove that I own a domain: get a token, publish it in DNS or as a file, then check.',
    load: async () => (await import('./commands/verify-domain.ts')).verifyDomain,
  },
  {
    name: 'serve',
    args: '',
    summary: 'Run my hub: watch the sources, keep one log, serve it as feeds.',
    load: async () => (await import('./commands/serve.ts')).serve,
  },
  {
    name: 'worker',
    args: '',
    summary: 'Work for a hub that runs on several machines: visit its sources, answer nobody.',
    load: async () => (await import('./commands/worker.ts')).worker,
  },
  SOURCE,
  APIKEYS,
  SUBSCRIPTION,
  {
    name: 'replay',
    args: '<subscription>',
    summary: 'Send again to a subscriber what lies behind a cursor, with the ids that it had.',
    load: async () => (await import('./commands/subscription-keep.ts')).replay,
  },
  {
    name: 'status',
    args: '',
    summary: 'Is anything broken or quiet? The sources of a hub that ail, and how many stand how.',
    load: async () => (await import('./commands/status.ts')).status,
  },
  {
    name: 'log',
    args: '[place]',
    summary: 'What happened? The changes of a published site, a data folder or a follower, oldest first.',
    load: async () => (await import('./commands/log.ts')).log,
  },
  {
    name: 'fsck',
    args: '[place]',
    summary: 'Is a published site as its provable log says? Derives every tile again and compares every file.',
    load: async () => (await import('./commands/fsck.ts')).fsck,
  },
  {
    name: 'redact',
    args: '<change-id> [place]',
    summary: 'Delete the texts of a change, and let the provable log say so. All its proofs still hold.',
    load: async () => (await import('./commands/redact.ts')).redact,
  },
  {
    name: 'why',
    args: '<id|url#anchor>',
    summary: 'Why is this a change? How it was learned, and what was there before and after.',
    load: async () => (await import('./commands/why.ts')).why,
  },
  {
    name: 'prove',
    args: '<id|url#anchor> [place]',
    summary: 'Prove what a page said and when: a receipt that anybody can check, offline and years later.',
    load: async () => (await import('./commands/prove.ts')).proveVerb,
  },
  {
    name: 'verify-receipt',
    args: '<receipt>',
    summary: 'Does this receipt prove what it says? Offline, by a key that I trust.',
    load: async () => (await import('./commands/verify-receipt.ts')).verifyReceiptVerb,
  },
  {
    name: 'witness',
    args: '',
    summary: 'Vouch for logs of others: cosign their checkpoints as long as each goes on from the last.',
    load: async () => (await import('./commands/witness.ts')).witnessVerb,
  },
  {
    name: 'mcp',
    args: '[url...]',
    summary: 'Give it to my agent: a server of the Model Context Protocol on stdin and stdout.',
    load: async () => (await import('./commands/mcp.ts')).mcpVerb,
  },
  {
    name: 'doctor',
    args: '',
    summary: 'Why doesn’t it work here? Looks at what a hub needs, and says what to do. Takes the options of serve.',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  {
    name: 'backup',
    args: '<file>',
    summary: 'Copy everything that a hub knows into one file, also while it runs.',
    load: async () => (await import('./commands/backup.ts')).backup,
  },
  {
    name: 'restore',
    args: '<file>',
    summary: 'Bring a backup into a data folder; feeds that lie there go on where they end.',
    load: async () => (await import('./commands/restore.ts')).restore,
  },
  {
    name: 'export',
    args: '',
    summary: 'Write everything that my hub serves out, so that a static host or CDN serves its feeds without it.',
    load: async () => (await import('./commands/export.ts')).exportVerb,
  },
  {
    name: 'migrate',
    args: '[data folder]',
    summary: 'Move a hub into PostgreSQL, to run it on several machines, or back into a folder.',
    load: async () => (await import('./commands/migrate.ts')).migrate,
  },
  {
    name: 'archive',
    args: '',
    summary: 'Cut what is old from the log of a hub that runs: it goes into a file that the hub serves.',
    load: async () => (await import('./commands/archive.ts')).archive,
  },
];
