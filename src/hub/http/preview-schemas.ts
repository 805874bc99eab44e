/** JSON Schema of the preview of a source. Objects are open: fields may be added. */
const text = { type: 'string' } as const;
const whole = { type: 'integer', minimum: 0 } as const;
const moment = { type: 'string', format: 'date-time' } as const;
const list = (items: object) => ({ type: 'array', items });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const failure = { type: 'object', required: ['code', 'message'], properties: { code: text, message: text } };
const amount = { requests: whole, bytes: whole };

const PreviewedBlock = {
  type: 'object',
  description: 'A part of a page that a rule can select.',
  required: ['name', 'words', 'blocks'],
  properties: {
    name: { ...text, description: 'The name of the element.' },
    rule: { ...text, description: 'The rule that selects it, for ignore and only. Absent: no rule can.' },
    words: { ...text, description: 'Its first words.' },
    leftOut: {
      enum: ['frame', 'rule'],
      description: 'Why it is left out: the frame of the page (navigation, headers, controls), or a rule.',
    },
    blocks: list(ref('PreviewedBlock')),
  },
};

const PreviewedPage = {
  type: 'object',
  required: ['url', 'remarks', 'opening', 'sections', 'moreSections', 'blocks', 'moreBlocks'],
  properties: {
    url: text,
    title: text,
    failure,
    remarks: list(text),
    opening: { ...text, description: 'The text before the first heading, as Markdown.' },
    sections: list({
      type: 'object',
      required: ['anchor', 'heading', 'level', 'text'],
      properties: { anchor: text, heading: text, level: whole, text: { ...text, description: 'Markdown.' } },
    }),
    moreSections: whole,
    blocks: list(ref('PreviewedBlock')),
    moreBlocks: whole,
  },
};

const dayCost = {
  type: 'object',
  required: ['everySeconds', 'looks', 'requests', 'bytes'],
  properties: { everySeconds: whole, looks: whole, ...amount },
};

const SourcePreview = {
  type: 'object',
  description: 'Preview of watching a source.',
  required: ['url', 'readAt', 'robots', 'offers', 'terms', 'uses', 'pages', 'source', 'spent'],
  properties: {
    url: text,
    readAt: moment,
    failure: { ...failure, description: 'Why it cannot be read.' },
    robots: { type: 'object', required: ['allowed'], properties: { allowed: { type: 'boolean' } } },
    offers: list({
      type: 'object',
      required: ['dialect', 'url', 'state', 'reason'],
      properties: {
        dialect: text,
        url: text,
        state: { enum: ['ok', 'stale', 'broken'] },
        reason: text,
        coverage: { type: 'number', minimum: 0, maximum: 1 },
        newest: moment,
      },
    }),
    choice: {
      type: 'object',
      description: 'What would be followed, and why. Absent if nothing can be read now.',
      required: ['dialect', 'url', 'reason'],
      properties: { dialect: text, url: text, reason: text },
    },
    terms: list({
      type: 'object',
      required: ['vocabulary', 'where', 'said', 'wishes'],
      properties: { vocabulary: text, where: text, said: text, wishes: { type: 'object' }, note: text },
    }),
    uses: { type: 'object', additionalProperties: { enum: ['yes', 'no'] } },
    pages: list(ref('PreviewedPage')),
    cost: {
      type: 'object',
      required: ['words', 'perLook', 'perDay', 'isAtLeast'],
      properties: {
        words: { ...list(text), description: 'How the cost is calculated.' },
        perLook: { type: 'object', required: ['requests', 'bytes'], properties: amount },
        perDay: {
          type: 'object',
          required: ['busy', 'atFirst', 'quiet'],
          properties: { busy: dayCost, atFirst: dayCost, quiet: dayCost },
        },
        isAtLeast: {
          type: 'boolean',
          description: 'true: there may be more pages than are known, so the cost may be higher.',
        },
      },
    },
    source: { ...ref('SourceConfig'), description: 'The configuration to send to POST /api/v1/sources.' },
    watchedAs: { ...text, description: 'The id of the existing source that already reads this address.' },
    spent: { type: 'object', required: ['requests', 'bytes'], properties: amount },
  },
};

export const PREVIEW_SCHEMAS = { PreviewedBlock, PreviewedPage, SourcePreview };
