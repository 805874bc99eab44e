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
    summary: 'Set up a site: detect the project, write the settings and the CI step, and list what is left to do.',
    load: async () => (await import('./commands/init.ts')).initVerb,
  },
  {
    name: 'publish',
    args: '<dir|url>',
    summary: 'Write the change feeds of a site: compare it with what was last published and record what changed.',
    load: async () => (await import('./commands/publish.ts')).publishVerb,
  },
  {
    name: 'preview',
    args: '<dir>',
    summary: 'Show locally what publish would produce: the site and its feeds, with changes marked. Writes nothing.',
    load: async () => (await import('./commands/preview.ts')).previewVerb,
  },
  {
    name: 'announce',
    args: '<dir>',
    summary: 'Tell WebSub hubs, search engines (IndexNow) and Tidings hubs what changed, once the site is public.',
    load: async () => (await import('./commands/announce.ts')).announceVerb,
  },
  {
    name: 'diff',
    args: '<old> <new>',
    summary: 'Show what readers would see as changed between two builds.',
    load: async () => (await import('./commands/diff.ts')).diff,
  },
  {
    name: 'check',
    args: '<url|dir|file>',
    summary: 'Check every clause of a specification, and report what was found and what to do.',
    load: async () => (await import('./commands/check.ts')).checkVerb,
  },
  {
    name: 'audit',
    args: '<url|dir>',
    summary:
      'Detect omissions and rewrites: check a provable log against what was seen before, feeds and files against it.',
    load: async () => (await import('./commands/audit.ts')).auditVerb,
  },
  {
    name: 'discover',
    args: '<url>',
    summary: 'List what a site offers (feeds, sitemaps, Markdown, terms of use) and what Tidings would follow.',
    load: async () => (await import('./commands/discover.ts')).discoverVerb,
  },
  {
    name: 'follow',
    args: '<url...>',
    summary: 'Report each change on the given sites once it is published, one JSON object per line.',
    load: async () => (await import('./commands/follow.ts')).followVerb,
  },
  {
    name: 'sync',
    args: '[url...]',
    summary: 'Keep an index in sync with sites: write and embed what changed, remove what is gone.',
    load: async () => (await import('./commands/sync.ts')).syncVerb,
  },
  {
    name: 'honesty',
    args: '<source|url>',
    summary: 'Check a feed against its pages: what was reported but not seen, and seen but not reported.',
    load: async () => (await import('./commands/honesty.ts')).honestyVerb,
  },
  {
    name: 'harvest',
    args: '<site>',
    summary: 'Turn the ResourceSync of a site into Atom feeds for people, one per collection and one for all.',
    load: async () => (await import('./commands/harvest.ts')).harvestVerb,
  },
  {
    name: 'doc',
    args: '<url|file>',
    summary: 'Read one page as an AIDocument: its content as Markdown, its structure, and where it comes from.',
    load: async () => (await import('./commands/doc.ts')).doc,
  },
  {
    name: 'risk',
    args: '<url|file>',
    summary: 'Score a page for prompt injection, and show which rule found what.',
    load: async () => (await import('./commands/risk.ts')).risk,
  },
  {
    name: 'read',
    args: '[origin]',
    summary: 'List the endpoints of an API from its own signed feed, for agents that rely on it.',
    load: async () => (await import('./commands/read.ts')).read,
  },
  SURFACE,
  KEYS,
  {
    name: 'verify-domain',
    args: '<domain>',
    summary: 'Prove that you own a domain: get a token, publish it in DNS or as a file, then check.',
    load: async () => (await import('./commands/verify-domain.ts')).verifyDomain,
  },
  {
    name: 'serve',
    args: '',
    summary: 'Run a hub: watch sources, keep one log, and serve it as feeds.',
    load: async () => (await import('./commands/serve.ts')).serve,
  },
  {
    name: 'worker',
    args: '',
    summary: 'Run a worker for a hub on several machines: it reads sources but serves no clients.',
    load: async () => (await import('./commands/worker.ts')).worker,
  },
  SOURCE,
  APIKEYS,
  SUBSCRIPTION,
  {
    name: 'replay',
    args: '<subscription>',
    summary: 'Resend to a subscriber everything after a cursor, or one delivery, with the same ids.',
    load: async () => (await import('./commands/subscription-keep.ts')).replay,
  },
  {
    name: 'status',
    args: '',
    summary: 'Show which sources of a hub have problems, and how many are in each state.',
    load: async () => (await import('./commands/status.ts')).status,
  },
  {
    name: 'log',
    args: '[place]',
    summary: 'List the changes of a published site, a data folder or a follower, oldest first.',
    load: async () => (await import('./commands/log.ts')).log,
  },
  {
    name: 'fsck',
    args: '[place]',
    summary: 'Check a published site against its provable log: rebuild every tile and compare every file.',
    load: async () => (await import('./commands/fsck.ts')).fsck,
  },
  {
    name: 'redact',
    args: '<change-id> [place]',
    summary: 'Delete the texts of a change and record that in the provable log. All proofs stay valid.',
    load: async () => (await import('./commands/redact.ts')).redact,
  },
  {
    name: 'why',
    args: '<id|url#anchor>',
    summary: 'Explain a change: how it was detected, and what was there before and after.',
    load: async () => (await import('./commands/why.ts')).why,
  },
  {
    name: 'prove',
    args: '<id|url#anchor> [place]',
    summary: 'Prove what a page said and when, with a receipt that anyone can check, offline and years later.',
    load: async () => (await import('./commands/prove.ts')).proveVerb,
  },
  {
    name: 'verify-receipt',
    args: '<receipt>',
    summary: 'Check offline whether a receipt proves what it says, with a key that you trust.',
    load: async () => (await import('./commands/verify-receipt.ts')).verifyReceiptVerb,
  },
  {
    name: 'witness',
    args: '',
    summary: 'Run a witness: cosign the checkpoints of other logs as long as each continues the last one.',
    load: async () => (await import('./commands/witness.ts')).witnessVerb,
  },
  {
    name: 'mcp',
    args: '[url...]',
    summary: 'Run a Model Context Protocol server for an agent, on stdin and stdout.',
    load: async () => (await import('./commands/mcp.ts')).mcpVerb,
  },
  {
    name: 'doctor',
    args: '',
    summary: 'Check what a hub needs to run here, and show how to fix it. Takes the options of serve.',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  {
    name: 'backup',
    args: '<file>',
    summary: 'Copy everything that a hub knows into one file, even while it runs.',
    load: async () => (await import('./commands/backup.ts')).backup,
  },
  {
    name: 'restore',
    args: '<file>',
    summary: 'Restore a backup into a data folder. Feeds that exist there continue where they end.',
    load: async () => (await import('./commands/restore.ts')).restore,
  },
  {
    name: 'export',
    args: '',
    summary: 'Write everything that a hub serves to files, so that a static host or CDN can serve its feeds.',
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
    summary: 'Move old changes from the log of a running hub into a file that the hub serves.',
    load: async () => (await import('./commands/archive.ts')).archive,
  },
];
