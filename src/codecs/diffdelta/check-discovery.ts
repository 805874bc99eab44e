import { canParseUrl } from '../primitives/can-parse-url.ts';
import { isRecord, type JsonRecord } from '../primitives/json-record.ts';
import type { Ledger } from '../primitives/ledger.ts';
import { readChecked } from './check-document.ts';
import { valueInMessage } from './read-object.ts';
import type { SeenDiscovery } from './seen.ts';
import { DIFFDELTA_DISCOVERY_PATH } from './wire.ts';

const CLAUSES = { place: 'DD-D1', form: 'DD-D1', name: 'manifest' };

/** Checks that the manifest exists and says where everything else is. */
export function checkDiscovery({ document, missingAt }: SeenDiscovery, ledger: Ledger): void {
  if (missingAt !== undefined) {
    ledger.looked('DD-D1');
    ledger.note({
      clause: 'DD-D1',
      where: missingAt,
      seen: `It is not there, but at ${document.where}.`,
      remedy: `Serve it at the root of the host as well: clients ask for ${DIFFDELTA_DISCOVERY_PATH} there.`,
    });
  }
  const read = readChecked(document, CLAUSES, ledger);
  if (read === undefined) return;
  const { where, fields } = read;
  ledger.looked('DD-D2', 'DD-D3', 'DD-D4', 'DD-D5', 'DD-D6', 'DD-D7');
  for (const { clause, path, isRight, remedy } of RULES) {
    const value = valueAt(fields, path);
    if (isRight(value)) continue;
    const seen = value === undefined ? `It has no \`${path}\`.` : `\`${path}\` is ${valueInMessage(value)}.`;
    ledger.note({ clause, where, seen, remedy });
  }
}

interface Rule {
  readonly clause: string;
  readonly path: string;
  readonly isRight: (value: unknown) => boolean;
  readonly remedy: string;
}

const isTrue = (value: unknown) => value === true;

const RULES: readonly Rule[] = [
  {
    clause: 'DD-D2',
    path: 'endpoints.diff_latest',
    isRight: isAddress,
    remedy: 'Write the URL of the feed of all sources, such as "https://feeds.example/diff/latest.json".',
  },
  {
    clause: 'DD-D3',
    path: 'endpoints.diff_by_source_template',
    isRight: (value) => isAddress(value) && String(value).includes('{source}'),
    remedy: 'Write a URL with {source}, such as "https://feeds.example/diff/{source}/latest.json".',
  },
  {
    clause: 'DD-D4',
    path: 'polling.recommended_ttl_sec',
    isRight: (value) => Number.isSafeInteger(value) && Number(value) > 0,
    remedy: 'Write a whole number of seconds, such as 300.',
  },
  {
    clause: 'DD-D5',
    path: 'sources_supported',
    isRight: (value) =>
      Array.isArray(value) &&
      value.every((id) => typeof id === 'string' && id !== '') &&
      new Set(value).size === value.length,
    remedy: 'Write an array with the id of each source, each of them once.',
  },
  { clause: 'DD-D6', path: 'capabilities.etag_supported', isRight: isTrue, remedy: 'Write true, and answer with 304.' },
  { clause: 'DD-D7', path: 'capabilities.cursor_supported', isRight: isTrue, remedy: 'Write true.' },
];

function valueAt(fields: JsonRecord, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, key) => (isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined), fields);
}

/** Relative URLs are allowed: they are resolved against the manifest. */
function isAddress(value: unknown): boolean {
  if (typeof value !== 'string' || value === '') return false;
  const base = 'https://feeds.example/';
  const text = value.replaceAll('{source}', 'x');
  return canParseUrl(text, base) && /^https?:$/.test(new URL(text, base).protocol);
}
