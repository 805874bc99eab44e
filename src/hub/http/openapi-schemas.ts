/** JSON Schema 2020-12 of the requests and answers of the hub, for `#/components/schemas/`. Objects are open: fields may be added. */
import { PREVIEW_SCHEMAS } from './preview-schemas.ts';
import { SUBSCRIPTION_SCHEMAS } from './subscription-schemas.ts';

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const whole = { type: 'integer', minimum: 0 } as const;
const answer = { enum: ['yes', 'no'] };
const moment = { type: 'string', format: 'date-time' } as const;
const address = { type: 'string', format: 'uri' } as const;
const list = (items: object) => ({ type: 'array', items });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const Change = {
  type: 'object',
  description: 'One immutable record of the log.',
  required: ['seq', 'id', 'source', 'kind', 'action', 'url', 'boundary', 'time', 'provenance'],
  properties: {
    seq: { type: 'integer', minimum: 1, description: 'Position in the log, counted from 1 without gaps.' },
    id: {
      ...text,
      description: 'A ULID. Ids sort in the order of seq, and each is the cursor of its position in the log.',
    },
    source: text,
    kind: { enum: ['page', 'endpoint'] },
    action: { enum: ['create', 'update', 'delete'] },
    url: { ...address, description: 'The URL of the page, without a fragment.' },
    anchor: { ...text, description: 'The anchor of the section. Absent: the whole page.' },
    anchorIs: { enum: ['key'], description: 'key: the heading of the section has no id of its own.' },
    boundary: { ...address, description: 'What the change invalidates: url or url#anchor.' },
    time: { ...moment, description: 'When the hub detected the change.' },
    claimedTime: { ...text, description: 'When the change happened, according to the origin.' },
    checksum: { ...text, description: 'sha256:<hex> of the content. Absent for delete.' },
    title: text,
    heading: { ...text, description: 'The heading of the section.' },
    summary: text,
    excerpt: { ...text, description: 'The beginning of the new text. Absent for delete.' },
    before: { ...text, description: 'The previous text, if the section is short.' },
    note: text,
    risk: {
      type: 'number',
      minimum: 0,
      maximum: 1,
      description: 'How much the page looks like an attack on AI models.',
    },
    riskReasons: list(text),
    uses: {
      type: 'object',
      description: 'Uses of the page that its publisher allows or refuses. Absent uses: nothing is stated.',
      properties: { search: answer, 'ai-input': answer, 'ai-train': answer },
    },
    hints: { type: 'object', description: 'Extensions of AICF §11, if enabled.' },
    provenance: { type: 'object' },
  },
};

const ChangesPage = {
  type: 'object',
  required: ['changes', 'next'],
  properties: {
    changes: list(ref('Change')),
    next: { type: ['string', 'null'], description: 'Pass it as after to continue. null while the log is empty.' },
    begins_after: {
      ...text,
      description: 'The id of the last change that was archived from the log. Absent if none was.',
    },
  },
};

const SourceConfig = {
  type: 'object',
  description: 'A source, as in tidings.config.json.',
  required: ['id', 'kind'],
  properties: {
    id: { ...text, pattern: '^[a-z0-9][a-z0-9_]*$', maxLength: 64 },
    kind: { enum: ['auto', 'folder', 'site', 'page', 'feed'] },
    title: { ...text, maxLength: 200 },
    tags: list(text),
    intervalSeconds: { type: 'integer', minimum: 1 },
    include: list(text),
    exclude: list(text),
    ignore: {
      ...list(text),
      description:
        'Pages (path patterns that begin with /, with *, ** and ?) and elements (CSS selectors) to ignore. For a feed: paths only.',
    },
    only: { ...list(text), description: 'The only pages and elements to read.' },
    path: {
      ...text,
      description: "For a folder: its absolute path on the hub's machine. All files below it are published.",
    },
    site: { ...address, description: 'For a folder: the public address of the site.' },
    cleanUrls: flag,
    url: { ...address, description: 'The address of a site, feed or single page.' },
    urls: { ...list(address), description: 'For pages: the addresses of several pages, instead of url.' },
    fallbacks: list(address),
    sitemap: { ...address, description: 'For a site: the only sitemap or sitemap index to use.' },
    maxPages: { type: 'integer', minimum: 1 },
    tellsOf: { enum: ['pages'], description: 'For auto: skip feeds about endpoints.' },
    dialect: { ...text, description: 'For a feed: its dialect.' },
    audit: { ...flag, description: 'For auto or a feed: compare the source with its provable log at each check.' },
  },
};

const SourceHealth = {
  type: 'object',
  description: 'Health in the format of DiffDelta (sections 5 and 7).',
  required: ['status', 'changed', 'stale', 'cursor', 'prev_cursor', 'kind', 'quiet'],
  properties: {
    status: { enum: ['ok', 'degraded', 'error', 'disabled'] },
    pending: { ...flag, description: 'Not checked yet.' },
    changed: flag,
    stale: flag,
    stale_since: moment,
    last_ok_at: moment,
    stale_age_sec: whole,
    consecutive_failures: whole,
    error: {
      type: 'object',
      required: ['code'],
      properties: {
        code: text,
        http_status: { type: 'integer' },
        message: { ...text, description: 'Present only if the origin itself makes it public.' },
      },
    },
    host_pause: {
      type: 'object',
      required: ['by', 'until'],
      properties: { by: { ...text, description: 'The host that asked for the pause.' }, until: moment },
      description: 'A host of the source is not asked before this time. Resuming the source ends the pause.',
    },
    disabled_reason: text,
    fallback_active: flag,
    fallback_index: whole,
    degraded_reason: text,
    cursor: { type: ['string', 'null'] },
    prev_cursor: { type: ['string', 'null'] },
    kind: { enum: ['auto', 'folder', 'site', 'page', 'feed'] },
    read_by: {
      ...text,
      description: 'For a source of kind auto: the dialect of the feed in use, or pages.',
    },
    read_by_since: moment,
    last_check_at: moment,
    next_check_at: moment,
    last_change_at: moment,
    last_change_id: text,
    unread: {
      ...whole,
      description:
        'Number of pages, files or feeds that the last successful check could not read. Absent if it read all.',
    },
    notes: { ...whole, description: 'Number of notes about the last successful check.' },
    honesty: {
      type: 'object',
      description:
        'Result of the last comparison of the feed with some of its pages: how many agree and how many do not.',
      required: ['checked_at', 'compared', 'told_and_true', 'told_not_seen', 'seen_not_told'],
      properties: {
        checked_at: moment,
        compared: whole,
        told_and_true: whole,
        told_not_seen: whole,
        seen_not_told: whole,
      },
    },
    quiet: { ...flag, description: 'Whether the source changes less often than usual.' },
    quiet_since: moment,
  },
};

const Health = {
  type: 'object',
  required: ['generated_at', 'schema_version', 'writable', 'summary', 'sources'],
  properties: {
    generated_at: moment,
    schema_version: text,
    writable: { ...flag, description: 'Whether the hub can record changes. false: for example, the disk is full.' },
    summary: {
      type: 'object',
      required: ['total', 'ok', 'degraded', 'error', 'disabled', 'health_pct'],
      properties: {
        total: whole,
        ok: whole,
        degraded: whole,
        error: whole,
        disabled: whole,
        health_pct: { type: 'number', minimum: 0, maximum: 100 },
      },
    },
    sources: { type: 'object', additionalProperties: ref('SourceHealth') },
  },
};

const Source = {
  type: 'object',
  required: ['id', 'kind', 'status', 'config', 'origin', 'addedAt', 'intervalSeconds', 'health'],
  properties: {
    id: text,
    kind: { enum: ['auto', 'folder', 'site', 'page', 'feed'] },
    status: { enum: ['ok', 'degraded', 'error', 'disabled'] },
    config: ref('SourceConfig'),
    owner: {
      type: 'string',
      description:
        'The prefix of the API key that added the source, or self-service if a visitor requested it. Absent: the admin owns it.',
    },
    origin: { enum: ['config', 'api'] },
    addedAt: moment,
    paused: { ...text, description: 'Why the source is paused. Absent: it is not.' },
    intervalSeconds: { type: 'number', description: 'The current interval between two checks, in seconds.' },
    health: ref('SourceHealth'),
    errorMessage: text,
    notes: { ...list(text), description: 'Notes about the last successful check.' },
    honesty: {
      type: 'object',
      description: 'Result of comparing the feed with some of its pages: the counts, and the pages that differ.',
    },
    websub: ref('WebSub'),
    volatile: {
      ...list({
        type: 'object',
        required: ['where', 'changed', 'looks', 'since'],
        properties: {
          where: { ...text, description: 'The element, or the section that contains its lines.' },
          url: { ...text, description: 'The page, if the block is on only one.' },
          pages: { ...whole, description: 'Number of pages with the block, if more than one.' },
          changed: whole,
          looks: whole,
          since: moment,
        },
      }),
      description: 'Blocks that differ at most checks. Their changes are held back.',
    },
    unstable: { ...list(text), description: 'Pages whose whole text keeps changing back and forth.' },
  },
};

const WebSub = {
  type: 'object',
  description: 'The WebSub subscription for instant updates. Absent if the feed names no hub.',
  required: ['hub', 'state', 'misses', 'trusted'],
  properties: {
    hub: text,
    topic: { ...text, description: 'The URL that the feed names as its own.' },
    state: { enum: ['active', 'pending', 'denied', 'failed'] },
    leaseUntil: moment,
    lastPush: moment,
    misses: {
      ...whole,
      description: 'Number of checks since the last push that found news the hub had not announced.',
    },
    trusted: { type: 'boolean', description: 'Whether pushes are reliable, so that the source is checked less often.' },
    reason: { ...text, description: 'Why the subscription failed or was not renewed.' },
    retryAt: moment,
  },
};

const Check = {
  type: 'object',
  required: ['at', 'source', 'tookMs', 'outcome', 'changes'],
  properties: {
    at: moment,
    source: text,
    tookMs: { type: 'number' },
    outcome: { enum: ['ok', 'fallback', 'error'] },
    changes: whole,
    pages: whole,
    unread: whole,
    notes: { ...list(text), description: 'The first notes about the check.' },
    error: ref('CheckError'),
  },
};

const CheckError = {
  type: 'object',
  required: ['code', 'message'],
  properties: { code: text, httpStatus: { type: 'integer' }, message: text },
};

const TestOutcome = {
  type: 'object',
  required: ['outcome'],
  properties: {
    outcome: {
      type: 'object',
      required: ['is', 'changes'],
      properties: {
        is: { enum: ['read', 'failed'] },
        fallback: whole,
        changes: whole,
        pages: whole,
        unread: whole,
        notes: list(text),
        error: ref('CheckError'),
        retryAfterMs: { type: 'number' },
        isSpared: {
          const: true,
          description: 'The host is not asked before retryAfterMs has passed, even if a check is due sooner.',
        },
      },
    },
  },
};

const Problem = {
  type: 'object',
  description: 'A problem document (RFC 9457).',
  required: ['type', 'title', 'status'],
  properties: {
    type: text,
    title: text,
    status: { type: 'integer' },
    detail: { ...text, description: 'What went wrong and what to do.' },
    code: { ...text, description: 'A stable name of the error.' },
    cursor: text,
    feed: { ...address, description: 'With 410: the feed with everything that the cursor may have missed.' },
    archives: { ...address, description: 'With 410: the list of archives with the changes that left the log.' },
    restart: { ...address, description: 'With 410: the same query from the start of the log.' },
    existing: list(text),
  },
};

export const OPENAPI_SCHEMAS = {
  Change,
  ChangesPage,
  SourceConfig,
  SourceHealth,
  Health,
  Source,
  WebSub,
  Sources: { type: 'object', required: ['sources'], properties: { sources: list(ref('Source')) } },
  Check,
  CheckError,
  Checks: { type: 'object', required: ['checks'], properties: { checks: list(ref('Check')) } },
  Import: {
    type: 'object',
    required: ['added', 'existing'],
    properties: {
      added: list(text),
      existing: list(text),
      skipped: list({ type: 'object', properties: { what: text, reason: text } }),
      dryRun: flag,
      sources: { ...list(ref('SourceConfig')), description: 'In a dry run: the sources that would be added.' },
    },
  },
  TestOutcome,
  Liveness: {
    type: 'object',
    required: ['ok', 'time', 'writable'],
    properties: {
      ok: { const: true },
      time: moment,
      writable: flag,
      reason: text,
      clock: text,
      behind: {
        type: 'integer',
        description: 'For a hub on several machines: number of writes that this server has not received yet.',
      },
      currentAt: moment,
      trouble: text,
      processes: { type: 'array', items: { type: 'object', description: 'A process of the hub and its progress.' } },
    },
  },
  AIDocument: {
    type: 'object',
    description: 'AIWebIndex 2.0, section 4.',
    required: ['schema', 'source', 'cache', 'identity', 'content', 'structure', 'signals'],
  },
  ...PREVIEW_SCHEMAS,
  ...SUBSCRIPTION_SCHEMAS,
  Problem,
};
