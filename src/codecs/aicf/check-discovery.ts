import type { Ledger } from '../primitives/ledger.ts';
import { type AnsweredDocument, documentText, looksLikeHtml, mediaTypeOf } from '../primitives/seen-document.ts';
import { decodeAicfDiscovery, isAbsoluteHttpUrl, isCompatibleVersion, withoutBom } from './decode.ts';
import { type AicfSeen, isUri } from './seen.ts';
import { AICF_DISCOVERY_PATH, DISCOVERY_MEDIA_TYPE } from './wire.ts';

const REMEDIES: Readonly<Record<string, string>> = {
  'AICF-D3': 'Serve one JSON object in UTF-8.',
  'AICF-D4': 'Write "aicf_version": "0.1".',
  'AICF-D5': 'Write the full URL of the feed, such as "https://docs.example/ai-changes.ndjson".',
  'AICF-D6': 'Write the license as a string such as "CC BY 4.0", or leave it out.',
  'AICF-D7': 'Write the full URL of the page, or leave it out.',
  'AICF-D9': 'Write a whole number of seconds such as 60, or leave it out.',
};

/** The addresses in a discovery document, as far as they can be read: other faults do not hide the feed. */
export interface Pointers {
  readonly self?: string;
  readonly archives: readonly string[];
  readonly capabilities: boolean;
}

export function pointersOf(document: AnsweredDocument): Pointers {
  const fields = parseFields(documentText(document).text);
  const archives = Array.isArray(fields.archives) ? fields.archives.filter(isAbsoluteHttpUrl) : [];
  return {
    ...(isAbsoluteHttpUrl(fields.self) && { self: fields.self }),
    archives,
    capabilities: Array.isArray(fields.capabilities),
  };
}

export function checkAicfDiscovery({ discovery, discoveryMissingAt }: AicfSeen, ledger: Ledger): void {
  ledger.looked('AICF-D1');
  const { where } = discovery;
  if (discoveryMissingAt !== undefined) {
    ledger.note({
      clause: 'AICF-D1',
      where: discoveryMissingAt,
      seen: `It is not there, but at ${where}.`,
      remedy: `Serve it at the root of the host as well: readers ask for ${AICF_DISCOVERY_PATH} there.`,
    });
  }
  if (discovery.kind === 'unread' || discovery.status !== 200) {
    const seen = discovery.kind === 'unread' ? discovery.failure : `The answer has status ${discovery.status}.`;
    const remedy = `Serve the discovery document at ${AICF_DISCOVERY_PATH} with status 200.`;
    ledger.note({ clause: 'AICF-D1', where, seen, remedy });
    return;
  }
  checkMediaType(discovery, ledger);
  checkBody(discovery, ledger);
}

function checkMediaType(document: AnsweredDocument, ledger: Ledger): void {
  const mediaType = mediaTypeOf(document);
  if (document.headers === undefined) {
    ledger.skipped('Nothing in the folder says its media type; check the live site.', 'AICF-D2');
    return;
  }
  ledger.looked('AICF-D2');
  if (mediaType === DISCOVERY_MEDIA_TYPE) return;
  ledger.note({
    clause: 'AICF-D2',
    where: document.where,
    seen: mediaType === undefined ? 'It has no Content-Type.' : `Its Content-Type is ${mediaType}.`,
    remedy: `Send Content-Type: ${DISCOVERY_MEDIA_TYPE}; the path has no extension to tell the server.`,
  });
}

function checkBody(document: AnsweredDocument, ledger: Ledger): void {
  const { where } = document;
  const { text, isUtf8 } = documentText(document);
  ledger.looked('AICF-D3');
  const note = (clause: string, seen: string) => {
    ledger.note({ clause, where, seen, remedy: REMEDIES[clause] ?? 'See the specification.' });
  };
  if (!isUtf8) note('AICF-D3', 'Its bytes are not UTF-8.');
  if (text.startsWith('\uFEFF')) note('AICF-D3', 'It begins with a byte order mark, which JSON forbids.');

  const decoded = decodeAicfDiscovery(text);
  const issues = decoded.ok ? [] : decoded.issues;
  const html = looksLikeHtml(text);
  for (const { clause, message } of issues) note(clause, html ? 'It is an HTML page.' : message);
  if (issues.some(({ clause }) => clause === 'AICF-D3')) {
    noteSchema(where, ['AICF-D3'], ledger);
    return;
  }

  ledger.looked('AICF-D4', 'AICF-D5', 'AICF-D6', 'AICF-D7', 'AICF-D8', 'AICF-D9', 'AICF-S1');
  const { self, about, archives, aicf_version: version } = parseFields(text);
  const malformed: string[] = [];
  for (const [clause, key, value] of [
    ['AICF-D5', 'self', self],
    ['AICF-D7', 'about', about],
  ] as const) {
    if (typeof value !== 'string' || isUri(value) || issues.some((issue) => issue.clause === clause)) continue;
    note(clause, `\`${key}\` is ${JSON.stringify(value)}, which is no URI.`);
    malformed.push(clause);
  }
  noteSchema(where, [...issues.map(({ clause }) => clause), ...malformed], ledger);
  checkArchives(where, archives, ledger);

  if (typeof version === 'string' && !isCompatibleVersion(version)) {
    ledger.note({
      clause: 'AICF-C2',
      where,
      seen: `\`aicf_version\` is ${JSON.stringify(version)}; readers of 0.1 stop here.`,
      remedy: 'Write "0.1" when the feed follows AICF v0.1.',
    });
  }
}

/** The schema does not define `archives`; readers accept an array of URLs (T-AICF-8). */
function checkArchives(where: string, archives: unknown, ledger: Ledger): void {
  if (archives === undefined) return;
  const remedy = 'Write an array with the full URLs of the earlier files, oldest first.';
  if (!Array.isArray(archives)) {
    const seen = '`archives` is not an array: readers find no earlier files.';
    ledger.note({ clause: 'AICF-P6', level: 'SHOULD', where, seen, remedy });
    return;
  }
  const bad = archives.filter((entry) => !isAbsoluteHttpUrl(entry));
  if (bad.length === 0) return;
  const first = JSON.stringify(bad[0]).slice(0, 80);
  const seen = `${bad.length} of ${archives.length} \`archives\` are no absolute URLs, the first is ${first}.`;
  ledger.note({ clause: 'AICF-P6', where, seen, remedy });
}

function noteSchema(where: string, clauses: readonly string[], ledger: Ledger): void {
  ledger.looked('AICF-S1');
  if (clauses.length === 0) return;
  const seen = `It does not validate (${[...new Set(clauses)].join(', ')}).`;
  ledger.note({ clause: 'AICF-S1', where, seen, remedy: 'Mend what those findings name.' });
}

function parseFields(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(withoutBom(text));
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
