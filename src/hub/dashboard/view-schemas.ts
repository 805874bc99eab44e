/** JSON Schema of what views share, for the OpenAPI description. Objects are open: fields may be added. */
const text = { type: 'string' } as const;
const moment = { type: 'string', format: 'date-time' } as const;

export const WHOLE_SCHEMA = { type: 'integer', minimum: 0 } as const;

/** An object that has these fields; those whose name ends with `?` may be absent. */
export function objectSchema(fields: Readonly<Record<string, object>>): object {
  const entries = Object.entries(fields);
  return {
    type: 'object',
    required: entries.map(([name]) => name).filter((name) => !name.endsWith('?')),
    properties: Object.fromEntries(entries.map(([name, schema]) => [name.replace(/\?$/, ''), schema])),
  };
}

export function listSchema(items: object): object {
  return { type: 'array', items };
}

export const SOURCE_LINE_SCHEMA = objectSchema({
  id: text,
  title: text,
  address: text,
  kind: text,
  word: { enum: ['error', 'degraded', 'unstable', 'quiet', 'disabled', 'pending', 'ok'] },
  'trouble?': { enum: ['deletions', 'untrusted', 'broken', 'paused', 'fallback', 'unstable', 'quiet', 'unread'] },
  'lastCheckAt?': moment,
  'lastChangeAt?': moment,
  remarks: listSchema(text),
});

export const CHANGE_LINE_FIELDS = {
  id: text,
  time: moment,
  source: text,
  action: { enum: ['create', 'update', 'delete'] },
  url: text,
  'anchor?': text,
  boundary: text,
  'title?': text,
  'heading?': text,
};

export const CHANGE_LINE_SCHEMA = objectSchema(CHANGE_LINE_FIELDS);
