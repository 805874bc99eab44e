/** JSON Schema 2020-12 of the requests and answers of the routes for webhooks. */

const text = { type: 'string' } as const;
const whole = { type: 'integer', minimum: 0 } as const;
const moment = { type: 'string', format: 'date-time' } as const;
const some = (items: object) => ({ anyOf: [items, { type: 'array', items, minItems: 1, maxItems: 20 }] });

const filter = {
  type: 'object',
  description: 'Which changes are sent. A change must match every given field, and one value of each field.',
  properties: {
    source: some(text),
    kind: some({ enum: ['page', 'endpoint'] }),
    action: some({ enum: ['create', 'update', 'delete'] }),
    path: some({ ...text, description: 'A path pattern with *, ** and ?, such as /guide/**.' }),
    anchor: some({ ...text, description: 'An anchor pattern with * and ?.' }),
  },
};
const format = {
  enum: ['tidings', 'cloudevents', 'slack', 'discord', 'ntfy', 'firecrawl'],
  description: 'The format of the body.',
};
const batch = {
  type: 'object',
  description: 'Send several changes in one delivery: at most max, and none waits longer than waitMs milliseconds.',
  properties: {
    max: { type: 'integer', minimum: 1, maximum: 100 },
    waitMs: { type: 'integer', minimum: 0, maximum: 60_000 },
  },
};
const signing = {
  enum: ['v1', 'v1a'],
  description: 'v1: a shared secret. v1a: a key pair; you get the public key.',
};
const secret = {
  ...text,
  description: 'Your own secret: whsec_ and base64 of 24 to 64 bytes. Absent: one is generated.',
};
const url = {
  type: 'string',
  format: 'uri',
  description: 'The https address that receives deliveries. Redirects are not followed.',
};
const label = { ...text, maxLength: 200 };
const cursor = { ...text, description: 'The id of a change, or start.' };

const receipts = {
  type: 'boolean',
  default: false,
  description: 'Add to each change, as "receipt", the URL of the receipt that proves it.',
};
const proofs = {
  type: 'boolean',
  default: false,
  description:
    'Add to each change, as "proof", the receipt itself besides its URL: for the formats tidings and cloudevents, up to 64,000 bytes per delivery.',
};
const settings = { url, filter, format, batch, label, receipts, proofs };

export const SUBSCRIPTION_WISH = {
  type: 'object',
  required: ['url'],
  properties: {
    ...settings,
    topic: {
      enum: ['changes', 'alerts'],
      default: 'changes',
      description: "What is sent. alerts: for the hub's admin only.",
    },
    from: { ...cursor, description: `${cursor.description} What follows it is sent. Absent: only new changes.` },
    verify: {
      type: 'boolean',
      default: true,
      description:
        "false, for the hub's admin only: send no challenge first. Slack, Discord and ntfy cannot answer one.",
    },
    signing,
    secret,
  },
  additionalProperties: false,
} as const;

export const SUBSCRIPTION_EDIT = {
  type: 'object',
  properties: { ...settings, status: { enum: ['active', 'disabled'] } },
  additionalProperties: false,
} as const;

export const REPLAY_WISH = {
  type: 'object',
  properties: {
    from: { ...cursor, description: 'Resend what follows this cursor (the id of a change, or start).' },
    since: { ...moment, description: 'Instead of from: resend what was appended since this time.' },
    to: { ...cursor, description: 'The last change to resend. Absent: up to the current cursor of the subscription.' },
    delivery: { ...text, description: 'Instead of from: resend this delivery, by its id in the list.' },
  },
  additionalProperties: false,
} as const;

export const ROTATE_WISH = {
  type: 'object',
  properties: {
    now: {
      type: 'boolean',
      description: 'true: the old secret stops signing at once. Otherwise both sign for 24 hours.',
    },
    signing,
    secret,
  },
  additionalProperties: false,
} as const;

const error = { type: 'object', required: ['code', 'message'], properties: { code: text, message: text } };

const Subscription = {
  type: 'object',
  required: ['id', 'url', 'topic', 'format', 'status', 'cursor', 'lag', 'created_at'],
  properties: {
    id: text,
    ...settings,
    topic: { enum: ['changes', 'alerts'] },
    owner: { enum: ['admin', 'config', 'key'] },
    verify: { type: 'boolean' },
    status: { enum: ['pending', 'active', 'failing', 'disabled', 'gone'] },
    reason: { ...text, description: 'Why the subscription is failing, disabled or gone.' },
    cursor: { type: ['string', 'null'], description: 'The id of the last change that was delivered or filtered out.' },
    lag: { ...whole, description: 'Number of changes in the log after the cursor.' },
    replaying: { type: 'boolean' },
    attempts: { ...whole, description: 'Number of failed attempts at the next delivery.' },
    next_attempt_at: moment,
    failing_since: moment,
    last_success_at: moment,
    signing: {
      type: 'array',
      items: {
        type: 'object',
        required: ['scheme'],
        properties: {
          scheme: signing,
          public_key: text,
          until: { ...moment, description: 'If rotated: when it stops signing.' },
        },
      },
    },
    created_at: moment,
    secret: { ...text, description: 'Shown once, when it is created or rotated.' },
    public_key: { ...text, description: 'For v1a: the public key, shown at the same times.' },
  },
};

const Delivery = {
  type: 'object',
  required: ['id', 'type', 'attempt', 'at', 'duration_ms', 'outcome', 'events'],
  properties: {
    id: { ...text, description: 'The webhook-id header.' },
    type: text,
    attempt: { type: 'integer', minimum: 1 },
    at: moment,
    duration_ms: whole,
    outcome: { enum: ['delivered', 'failed', 'gone'] },
    status: { type: 'integer' },
    answer: { ...text, description: 'The first 200 bytes of the answer.' },
    error,
    from: { ...text, description: 'The id of the first change.' },
    to: text,
    events: whole,
  },
};

const DeadLetter = {
  type: 'object',
  required: ['id', 'from', 'to', 'events', 'attempts', 'at', 'reason'],
  properties: { id: text, from: text, to: text, events: whole, attempts: whole, at: moment, reason: text },
};

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** For `#/components/schemas/`. */
export const SUBSCRIPTION_SCHEMAS = {
  Subscription,
  Subscriptions: {
    type: 'object',
    required: ['subscriptions'],
    properties: { subscriptions: { type: 'array', items: ref('Subscription') } },
  },
  Delivery,
  DeadLetter,
  Deliveries: {
    type: 'object',
    required: ['deliveries', 'dead_letters'],
    properties: {
      deliveries: { type: 'array', items: ref('Delivery') },
      dead_letters: { type: 'array', items: ref('DeadLetter') },
    },
  },
};
