/** JSON Schema 2020-12 of what the hub takes and gives, for `#/components/schemas/`. Objects are open: fields may be added. */
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
    seq: { type: 'integer', minimum: 1, description: 'Counts from 1 without holes.' },
    id: { ...text, description: 'A ULID; ids sort in the order of seq. It is the cursor of this place in the log.' },
    source: text,
    kind: { enum: ['page', 'endpoint'] },
    action: { enum: ['create', 'update', 'delete'] },
    url: { ...address, description: 'Without a fragment.' },
    anchor: { ...text, description: 'The section; absent: the whole page.' },
    anchorIs: { enum: ['key'], description: 'Where no element of the page has the anchor as its id.' },
    boundary: { ...address, description: 'What the change invalidates: url, or url#anchor.' },
    time: { ...moment, description: 'When the hub learned of it.' },
    claimedTime: { ...text, description: 'When the origin says that it happened.' },
    checksum: { ...text, description: 'sha256:<hex> of the content; absent on delete.' },
    title: text,
    heading: { ...text, description: 'What stands above the section.' },
    summary: text,
    excerpt: { ...text, description: 'The beginning of what it says now; absent on delete.' },
    before: { ...text, description: 'What a short section said before.' },
    note: text,
    risk: { type: 'number', minimum: 0, maximum: 1, description: 'How much the page looks like an attack on models.' },
    riskReasons: list(text),
    uses: {
      type: 'object',
      description: 'What its publisher refuses or grants of the use of the page; of what is absent nobody speaks.',
      properties: { search: answer, 'ai-input': answer, 'ai-train': answer },
    },
    hints: { type: 'object', description: 'Extensions of AICF §11, where they are on.' },
    provenance: { type: 'object' },
  },
};

const ChangesPage = {
  type: 'object',
  required: ['changes', 'next'],
  properties: {
    changes: list(ref('Change')),
    next: { type: ['string', 'null'], description: 'Give it as after to go on; null while the log is empty.' },
    begins_after: { ...text, description: 'The id of the last change that was cut off the log, once it was.' },
  },
};

const SourceConfig = {
  type: 'object',
  description: 'A source as it is written in tidings.config.json.',
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
        'Pages (paths that begin with /, with *, ** and ?) and elements (CSS selectors) that are left out. Of a feed, paths alone.',
    },
    only: { ...list(text), description: 'Pages and elements that are read alone.' },
    path: { ...text, description: 'Of a folder: absolute, on the machine of the hub. What is below it is published.' },
    site: { ...address, description: 'Of a folder: the public address of the site.' },
    cleanUrls: flag,
    url: { ...address, description: 'Of a site or a feed; of a page, instead of urls.' },
    urls: { ...list(address), description: 'Of pages.' },
    fallbacks: list(address),
    sitemap: { ...address, description: 'Of a site: what names its pages, alone.' },
    maxPages: { type: 'integer', minimum: 1 },
    tellsOf: { enum: ['pages'], description: 'Of auto: a feed that tells of endpoints is passed over.' },
    dialect: { ...text, description: 'Of a feed.' },
    audit: { ...flag, description: 'Of auto or a feed: held against its provable log at each check.' },
  },
};

const SourceHealth = {
  type: 'object',
  description: 'As DiffDelta words it (sections 5 and 7).',
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
        message: { ...text, description: 'Only where the origin itself says it to everybody.' },
      },
    },
    host_pause: {
      type: 'object',
      required: ['by', 'until'],
      properties: { by: { ...text, description: 'The host that asked for it.' }, until: moment },
      description: 'Until then a host of the source is left in peace. Resuming the source ends that.',
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
      description: 'Of a source of the kind auto: the dialect of the feed that it is read by, or pages.',
    },
    read_by_since: moment,
    last_check_at: moment,
    next_check_at: moment,
    last_change_at: moment,
    last_change_id: text,
    unread: {
      ...whole,
      description:
        'Pages, files or feeds of a service that the last good check could not read; absent when it read all.',
    },
    notes: { ...whole, description: 'How many things a person should know of the last good check.' },
    honesty: {
      type: 'object',
      description: 'Of the pages of a feed that were looked at last: how many it told the truth about, how many not.',
      required: ['checked_at', 'compared', 'told_and_true', 'told_not_seen', 'seen_not_told'],
      properties: {
        checked_at: moment,
        compared: whole,
        told_and_true: whole,
        told_not_seen: whole,
        seen_not_told: whole,
      },
    },
    quiet: { ...flag, description: 'Whether it is quieter than its own rhythm.' },
    quiet_since: moment,
  },
};

const Health = {
  type: 'object',
  required: ['generated_at', 'schema_version', 'writable', 'summary', 'sources'],
  properties: {
    generated_at: moment,
    schema_version: text,
    writable: { ...flag, description: 'Whether what checks find can be recorded: the disk may be full.' },
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
        'How the API key begins that added it, or self-service where a visitor asked for it; absent: it is the admin\u2019s.',
    },
    origin: { enum: ['config', 'api'] },
    addedAt: moment,
    paused: { ...text, description: 'Why it is not checked.' },
    intervalSeconds: { type: 'number', description: 'The rhythm as it is now.' },
    health: ref('SourceHealth'),
    errorMessage: text,
    notes: { ...list(text), description: 'What a person should know of the last good check.' },
    honesty: {
      type: 'object',
      description: 'Whether its feed told the truth about a few pages: the counts, and the pages with findings.',
    },
    websub: ref('WebSub'),
    volatile: {
      ...list({
        type: 'object',
        required: ['where', 'changed', 'looks', 'since'],
        properties: {
          where: { ...text, description: 'The element, or the section that its lines stand in.' },
          url: { ...text, description: 'The page, where it is on one alone.' },
          pages: { ...whole, description: 'On how many pages it is, where on several.' },
          changed: whole,
          looks: whole,
          since: moment,
        },
      }),
      description: 'Blocks that are different at most looks: their changes are held back.',
    },
    unstable: { ...list(text), description: 'Pages whose whole text goes to and fro.' },
  },
};

const WebSub = {
  type: 'object',
  description: 'Whether a hub tells of its news at once. Absent where its feed names none.',
  required: ['hub', 'state', 'misses', 'trusted'],
  properties: {
    hub: text,
    topic: { ...text, description: 'What the feed calls itself.' },
    state: { enum: ['active', 'pending', 'denied', 'failed'] },
    leaseUntil: moment,
    lastPush: moment,
    misses: {
      ...whole,
      description: 'Checks that found news of which the hub had not told, since it last brought some.',
    },
    trusted: { type: 'boolean', description: 'It brings news, so that the source is asked less often.' },
    reason: { ...text, description: 'Why there is no subscription, or no new one.' },
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
    notes: { ...list(text), description: 'What a person should know, the first lines of it.' },
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
        isSpared: { const: true, description: 'Nothing is asked before that, also when a check comes sooner.' },
      },
    },
  },
};

const Problem = {
  type: 'object',
  description: 'RFC 9457.',
  required: ['type', 'title', 'status'],
  properties: {
    type: text,
    title: text,
    status: { type: 'integer' },
    detail: { ...text, description: 'What went wrong, and what to do.' },
    code: { ...text, description: 'The permanent name of the error.' },
    cursor: text,
    feed: { ...address, description: 'With 410: where everything is that the cursor may have missed.' },
    archives: { ...address, description: 'With 410: the list of files with what was cut off the log.' },
    restart: { ...address, description: 'With 410: the same query from the start.' },
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
      sources: { ...list(ref('SourceConfig')), description: 'Of a dry run: what would be added.' },
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
      behind: { type: 'integer', description: 'Of a hub on several machines: so many writes this server lacks.' },
      currentAt: moment,
      trouble: text,
      processes: { type: 'array', items: { type: 'object', description: 'A process of the hub, and how far it is.' } },
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
