import { countTokens } from '../extract/document/count-tokens.ts';
import type { McpPorts } from './mcp-ports.ts';
import { seenText } from './seen-text.ts';
import type { ToolObject } from './tool-json.ts';

/** The share of an answer's tokens that is reserved for proofs. */
export const PROOF_TOKENS = 5000;
/** More never fit. */
const MOST_PROOFS = 10;
/** A longer text certainly does not fit and need not be counted. */
const MOST_CHARACTERS = PROOF_TOKENS * 12;

type ReceiptPorts = Pick<McpPorts, 'receipt' | 'receiptUrl'>;

/** The description of the argument. */
export const PROOFS_ARGUMENT = {
  type: 'boolean',
  default: false,
  description: 'Add to each change its receipt ("proof"), as far as they fit, and its address ("receipt").',
} as const;

export const PROOF_FIELDS = {
  receipt: { type: 'string', description: 'URL of a receipt that proves the change, also offline.' },
  proof: {
    type: 'object',
    description: 'The receipt itself, for "tidings verify-receipt". Holds untrusted text.',
  },
} as const;

/** The URL of a receipt, if there are receipts. */
export function receiptField(id: unknown, { receiptUrl }: ReceiptPorts): { receipt?: string } {
  return typeof id === 'string' && receiptUrl !== undefined ? { receipt: receiptUrl(id) } : {};
}

/** The items with the receipts of their changes, from the first on as long as they fit. The others have only the URL. */
export async function withProofs(
  items: readonly ToolObject[],
  idOf: (item: ToolObject) => unknown,
  { receipt }: ReceiptPorts,
): Promise<readonly ToolObject[]> {
  let left = PROOF_TOKENS;
  const proven: ToolObject[] = [];
  for (const item of items) {
    const id = idOf(item);
    const isAsked = receipt !== undefined && typeof id === 'string' && left > 0 && proven.length < MOST_PROOFS;
    const json = isAsked ? await receipt(id) : undefined;
    const proof = json === undefined ? undefined : seenProof(json);
    const text = JSON.stringify(proof ?? '');
    left -= proof === undefined ? 0 : text.length > MOST_CHARACTERS ? PROOF_TOKENS : countTokens(text);
    proven.push(proof === undefined || left < 0 ? item : { ...item, proof });
  }
  return proven;
}

/** A proof applies to the exact characters of a text. A text with invisible characters is omitted: the rest of the proof holds without it. */
function seenProof(json: string): ToolObject {
  const receipt = JSON.parse(json) as ToolObject & {
    readonly texts: Readonly<Record<string, { readonly text: string }>>;
  };
  const texts = Object.entries(receipt.texts).filter(([, { text }]) => seenText(text) === text);
  return { ...receipt, texts: Object.fromEntries(texts) };
}
