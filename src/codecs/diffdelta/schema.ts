import { SCHEMA_PATH } from './wire.ts';

/** The part of JSON Schema 2020-12 that {@link DIFF_SCHEMA} uses. */
export type Schema = boolean | SchemaObject;

export interface SchemaObject {
  readonly $schema?: string;
  readonly $id?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly $ref?: string;
  /** The clause of `specs/diffdelta/clauses.tsv` that this part states. */
  readonly $comment?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: TypeName | readonly TypeName[];
  readonly enum?: readonly string[];
  readonly const?: string | boolean;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMaximum?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly if?: Schema;
  readonly then?: Schema;
  readonly else?: Schema;
}

export type TypeName = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';

const name = { type: 'string', minLength: 1 } as const;
const count = { type: 'integer', minimum: 0 } as const;
const cursor = { $ref: '#/$defs/cursor' } as const;
const time = { $ref: '#/$defs/time' } as const;
const ttl = { $comment: 'DD-G3', type: 'integer', minimum: 1 } as const;
const calmItems = { type: 'array', items: { allOf: [{ $ref: '#/$defs/item' }, { $ref: '#/$defs/calm' }] } } as const;
const statusIs = (...words: string[]): Schema => ({ required: ['status'], properties: { status: { enum: words } } });
const changedIs = (changed: boolean): Schema => ({
  required: ['changed'],
  properties: { changed: { const: changed } },
});

function when(condition: Schema, demand: Schema, otherwise?: Schema): SchemaObject {
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  return { if: condition, then: demand, ...(otherwise !== undefined && { else: otherwise }) };
}

/**
 * A feed, latest or archived, by the prose of the specification, which overrides the schema once published with it
 * (T-DD-10). All objects are open, since fields may be added at any time (DD-V1). The same as `specs/diffdelta/diff.schema.json`.
 *
 * @example
 * response.end(JSON.stringify(DIFF_SCHEMA));
 */
export const DIFF_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: SCHEMA_PATH,
  title: 'DiffDelta feed v1',
  description: 'A latest.json or an archived copy of one. Every object is open: readers ignore what they do not know.',
  type: 'object',
  required: [
    'schema_version',
    'generated_at',
    'cursor',
    'prev_cursor',
    'changed',
    'ttl_sec',
    'sources_included',
    'buckets',
  ],
  properties: {
    schema_version: { $comment: 'DD-K14', type: 'string', pattern: '^1\\.[0-9]+\\.[0-9]+$' },
    generated_at: { $comment: 'DD-G1', ...time },
    source_id: name,
    hash: { $ref: '#/$defs/hash' },
    prev_hash: { $ref: '#/$defs/hash' },
    cursor,
    prev_cursor: cursor,
    cursor_basis: { $comment: 'DD-K1', ...name },
    changed: { $comment: 'DD-B1', type: 'boolean' },
    ttl_sec: ttl,
    sources_included: { $comment: 'DD-O1', type: 'array', items: name },
    batch_narrative: { type: 'string' },
    counts: { type: 'object' },
    archive_url: { type: ['string', 'null'] },
    prev_archive_url: { type: ['string', 'null'] },
    buckets: {
      $comment: 'DD-L1',
      description: 'A bucket that is missing is empty; one of another name may hold anything.',
      type: 'object',
      properties: {
        new: calmItems,
        updated: calmItems,
        removed: calmItems,
        flagged: { type: 'array', items: { $ref: '#/$defs/item' } },
      },
    },
    sources: { $comment: 'DD-L1', type: 'object', additionalProperties: { $ref: '#/$defs/source' } },
  },
  ...when(changedIs(true), { properties: { cursor: { $comment: 'DD-B2', type: 'string' } } }),
  $defs: {
    cursor: { $comment: 'DD-C3', type: ['string', 'null'], pattern: '^sha256:[0-9a-f]{64}$' },
    hash: { $comment: 'DD-G5', type: ['string', 'null'], pattern: '^sha256:[0-9a-f]{64}$' },
    time: {
      type: 'string',
      pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}([.,][0-9]+)?)?(Z|[+\\-][0-9]{2}(:?[0-9]{2})?)$',
    },
    item: {
      $comment: 'DD-I2',
      type: 'object',
      required: ['source', 'id', 'url', 'published_at', 'updated_at', 'headline', 'content', 'provenance'],
      properties: {
        source: name,
        id: name,
        url: { type: 'string', pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^/]' },
        published_at: { $ref: '#/$defs/date' },
        updated_at: { $ref: '#/$defs/date' },
        headline: { type: 'string' },
        content: { type: 'object' },
        provenance: {
          $comment: 'DD-I3',
          type: 'object',
          required: ['content_hash'],
          properties: {
            content_hash: name,
            evidence_urls: { type: 'array', items: { type: 'string' } },
            revision: { type: 'integer', minimum: 1 },
          },
        },
        risk: {
          $comment: 'DD-I4',
          type: 'object',
          required: ['score'],
          properties: {
            score: { type: 'number', minimum: 0, maximum: 1 },
            reasons: { type: 'array', items: { type: 'string' } },
          },
        },
      },
    },
    date: { type: 'string', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}([T ].+)?$' },
    calm: {
      $comment: 'DD-I8',
      properties: { risk: { properties: { score: { exclusiveMaximum: 0.4 } } } },
    },
    source: {
      $comment: 'DD-F5',
      type: 'object',
      required: ['status', 'changed', 'cursor', 'prev_cursor', 'ttl_sec'],
      properties: {
        name: { type: 'string' },
        status: { enum: ['ok', 'degraded', 'error', 'disabled'] },
        changed: { $comment: 'DD-B1', type: 'boolean' },
        cursor,
        prev_cursor: cursor,
        ttl_sec: ttl,
        head_url: name,
        latest_url: name,
        stale: { type: 'boolean' },
        stale_since: { $comment: 'DD-E5', ...time },
        last_ok_at: { $comment: 'DD-E6', ...time },
        stale_age_sec: { $comment: 'DD-E7', ...count },
        consecutive_failures: { $comment: 'DD-E12', ...count },
        error: {
          $comment: 'DD-E8',
          type: 'object',
          required: ['code'],
          properties: { code: name, http_status: { type: 'integer' } },
        },
        disabled_reason: { $comment: 'DD-E10', ...name },
        fallback_active: { $comment: 'DD-F2', type: 'boolean' },
        fallback_index: { $comment: 'DD-F3', ...count },
        degraded_reason: { $comment: 'DD-F4', ...name },
        delta_counts: {
          $comment: 'DD-N1',
          type: 'object',
          required: ['new', 'updated', 'removed'],
          properties: { new: count, updated: count, removed: count },
        },
      },
      allOf: [
        when(statusIs('error', 'disabled'), {
          allOf: [
            { $comment: 'DD-E1', properties: { changed: { const: false } } },
            { $comment: 'DD-E2', required: ['stale'], properties: { stale: { const: true } } },
            { $comment: 'DD-E5', required: ['stale_since'] },
          ],
        }),
        when(
          statusIs('error'),
          { $comment: 'DD-E8', required: ['error'] },
          { $comment: 'DD-E9', properties: { error: false } },
        ),
        when(
          statusIs('disabled'),
          { $comment: 'DD-E10', required: ['disabled_reason'] },
          { $comment: 'DD-E11', properties: { disabled_reason: false } },
        ),
        when(statusIs('degraded'), {
          allOf: [
            { $comment: 'DD-F2', required: ['fallback_active'], properties: { fallback_active: { const: true } } },
            { $comment: 'DD-F3', required: ['fallback_index'] },
            { $comment: 'DD-F4', required: ['degraded_reason'] },
          ],
        }),
        when(changedIs(false), { $comment: 'DD-N2', properties: { delta_counts: false } }),
      ],
    },
  },
} as const satisfies Schema;
