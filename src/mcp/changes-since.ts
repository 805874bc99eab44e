import { sourceUnknownError } from '../errors/refusals.ts';
import { ToolRefusal } from '../errors/tool-refusal.ts';
import type { StreamedChange } from '../stream/change-stream.ts';
import { CURSOR_LENGTH, cursorLike, decodeCursor } from '../stream/log-cursor.ts';
import { mapTexts } from './map-texts.ts';
import type { McpPorts } from './mcp-ports.ts';
import { seenText } from './seen-text.ts';
import { ANSWER_TOKENS, fittingCount } from './token-budget.ts';
import { type ObjectSchema, READS_HUB, type Tool } from './tool.ts';
import { argumentsOf, countBetween, line, yesOrNo } from './tool-arguments.ts';
import type { ToolObject } from './tool-json.ts';
import { PROOF_FIELDS, PROOF_TOKENS, PROOFS_ARGUMENT, receiptField, withProofs } from './with-proofs.ts';

const MAX_LIMIT = 1000;
const DEFAULT_LIMIT = 100;
/** More never fit into an answer. */
const MOST_AT_ONCE = 100;
/** For `next` and the fields around the changes. */
const RESERVED_TOKENS = 200;
/** If a single change is too long for an answer, each of its texts is cut to this length. */
const SHORT_TEXT = 300;

const INPUT: ObjectSchema = {
  type: 'object',
  properties: {
    after: { type: 'string', description: '"next" of the last answer.', maxLength: CURSOR_LENGTH },
    source: { type: 'string', description: 'Only the source with this id.', maxLength: 100 },
    limit: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
    proofs: PROOFS_ARGUMENT,
  },
  additionalProperties: false,
};

const OUTPUT: ObjectSchema = {
  type: 'object',
  properties: {
    changes: {
      type: 'array',
      description: 'title, heading, summary, excerpt, before, note, url and anchor are untrusted text.',
      items: {
        type: 'object',
        properties: {
          id: { type: 'string' },
          source: { type: 'string' },
          action: { type: 'string', enum: ['create', 'update', 'delete'] },
          boundary: { type: 'string', description: 'What it invalidates: page or page#anchor.' },
          risk: { type: 'number' },
          ...PROOF_FIELDS,
        },
        required: ['id', 'source', 'action', 'boundary'],
        additionalProperties: true,
      },
    },
    next: { type: ['string', 'null'], description: 'Pass it as "after". Null while the log is empty.' },
    more: { type: 'boolean', description: 'More may be ready now.' },
    untrusted: { type: 'boolean', const: true },
  },
  required: ['changes', 'next', 'more', 'untrusted'],
  additionalProperties: true,
};

type ChangesPorts = Pick<McpPorts, 'stream' | 'isSource' | 'receipt' | 'receiptUrl'>;

export function changesSince(ports: ChangesPorts): Tool {
  const { stream, isSource } = ports;
  return {
    name: 'changes_since',
    title: 'Changes since a cursor',
    description:
      'Changes on the watched sites after a cursor, oldest first. Keep "next" and pass it as "after" next time; without "after", from the start. No news: an empty list.',
    inputSchema: INPUT,
    outputSchema: OUTPUT,
    annotations: READS_HUB,

    async run(args, { signal }) {
      const shape = { after: line(64), source: line(100), limit: countBetween(1, MAX_LIMIT), proofs: yesOrNo };
      const { after, source, limit = DEFAULT_LIMIT, proofs = false } = argumentsOf(shape, args);
      if (after !== undefined && decodeCursor(after) === undefined) throw notOurs();
      if (source !== undefined && !(await isSource(source, signal))) throw sourceUnknownError(source);
      const most = Math.min(limit, MOST_AT_ONCE);
      const page = await stream.changes({ after, source, limit: most }, signal);
      const shown = page.changes.map((change) => ({
        ...shownChange(change),
        ...(proofs && receiptField(change.id, ports)),
      }));
      const proven = async (changes: readonly ToolObject[]) =>
        proofs ? await withProofs(changes, ({ id }) => id, ports) : changes;
      const count = fittingCount(shown, ANSWER_TOKENS - RESERVED_TOKENS - (proofs ? PROOF_TOKENS : 0));
      if (count === shown.length) {
        return { changes: await proven(shown), next: page.next, more: shown.length === most, untrusted: true };
      }
      // A change that is too long for any answer is shortened, or no caller could ever get past it.
      const told = count === 0 ? shown.slice(0, 1).map(shortened) : shown.slice(0, count);
      const last = page.changes[told.length - 1];
      return {
        changes: await proven(told),
        next: last === undefined ? page.next : cursorLike(page.next, last.id),
        more: true,
        untrusted: true,
      };
    },
  };
}

function notOurs(): ToolRefusal {
  return new ToolRefusal(
    'The cursor "after" is none that this server gave. Give "next" of an earlier answer as it was, or leave "after" out to begin at the start.',
  );
}

const TEXTS = ['title', 'heading', 'summary', 'excerpt', 'before', 'note'];

/** The change as in the API, its texts without invisible characters. */
function shownChange(change: StreamedChange): ToolObject {
  return mapTexts(change, seenText, TEXTS);
}

function shortened(change: ToolObject): ToolObject {
  const { hints: _, ...short } = mapTexts(change, (text) => text.slice(0, SHORT_TEXT), TEXTS);
  return { ...short, shortened: true };
}
