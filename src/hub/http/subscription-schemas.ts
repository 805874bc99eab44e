/** JSON Schema 2020-12 of what the routes for webhooks take and give. */

const text = { type: 'string' } as const;
const whole = { type: 'integer', minimum: 0 } as const;
const moment = { type: 'string', format: 'date-time' } as const;
const some = (items: object) => ({ anyOf: [items, { type: 'array', items, minItems: 1, maxItems: 20 }] });

const filter = {
  type: 'object',
  description: 'Which changes are told: all that it names must fit, and of several values of one name, one.',
  properties: {
    source: some(text),
    kind: some({ enum: ['page', 'endpoint'] }),
    action: some({ enum: ['create', 'update', 'delete'] }),
    path: some({ ...text, description: 'With *, ** and ?: /guide/**.' }),
    anchor: some({ ...text, description: 'Names of sections, with * and ?.' }),
  },
};
const format = {
  enum: ['tidings', 'cloudevents', 'slack', 'discord', 'ntfy', 'firecrawl'],
  description: 'The shape of the body.',
};
const batch = {
  type: 'object',
  description: 'Several changes in one delivery: at most max, and the first of them waits no longer than waitMs.',
  properties: {
    max: { type: 'integer', minimum: 1, maximum: 100 },
    waitMs: { type: 'integer', minimum: 0, maximum: 60_000 },
  },
};
const signing = {
  enum: ['v1', 'v1a'],
  description: 'v1: a secret for both sides. v1a: a key pair; you get its public half.',
};
const secret = { ...text, description: 'One of your own: whsec_ and base64 of 24 to 64 bytes.' };
const url = { type: 'string', format: 'uri', description: 'An https address. Redirects are not followed.' };
const label = { ...text, maxLength: 200 };
const cursor = { ...text, description: 'The id of a change, or start.' };

const receipts = {
  type: 'boolean',
  default: false,
  description: 'Each change says under "receipt" where its receipt is: GET it to prove the change.',
};
const proofs = {
  type: 'boolean',
  default: false,
  description:
    'Each change has under "proof" its receipt itself, beside its address: with the forms tidings and cloudevents, and up to 64,000 bytes in a delivery.',
};
const settings = { url, filter, format, batch, label, receipts, proofs };

export const SUBSCRIPTION_WISH = {
  type: 'object',
  required: ['url'],
  properties: {
    ...settings,
    topic: { enum: ['changes', 'alerts'], default: 'changes', description: "Alerts are for the hub's admin." },
    from: { ...cursor, description: `${cursor.description} Absent: what comes from now on is told.` },
    verify: {
      type: 'boolean',
      default: true,
      description:
        "false, for the hub's admin only: the endpoint is not asked to answer a challenge, as Slack, Discord and ntfy cannot.",
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
    from: { ...cursor, description: 'What lies behind this cursor is sent again (the id of a change, or start).' },
    since: { ...moment, description: 'In its place: what was appended from this moment on is sent again.' },
    to: { ...cursor, description: 'Up to this one. Absent: up to where it has come.' },
    delivery: { ...text, description: 'Instead: the id of one delivery in the list.' },
  },
  additionalProperties: false,
} as const;

export const ROTATE_WISH = {
  type: 'object',
  properties: {
    now: { type: 'boolean', description: 'true: the old secret signs no more. Else both sign for 24 hours.' },
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
    reason: { ...text, description: 'Why it is failing, disabled or gone.' },
    cursor: { type: ['string', 'null'], description: 'The id of the last change that it took or did not want.' },
    lag: { ...whole, description: 'How many changes of the log it has not come to.' },
    replaying: { type: 'boolean' },
    attempts: { ...whole, description: 'How often the next delivery was tried in vain.' },
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
          until: { ...moment, description: 'Rotated; it signs until then.' },
        },
      },
    },
    created_at: moment,
    secret: { ...text, description: 'Only when it is made or rotated, for the only time.' },
    public_key: { ...text, description: 'The same, of v1a.' },
  },
};

const Delivery = {
  type: 'object',
  required: ['id', 'type', 'attempt', 'at', 'duration_ms', 'outcome', 'events'],
  properties: {
    id: { ...text, description: 'webhook-id.' },
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
