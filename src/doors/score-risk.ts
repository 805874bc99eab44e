import { FLAGGED_FROM } from '../codecs/diffdelta/wire.ts';
import { FolderError } from '../errors/folder-error.ts';
import { documentRefusedError } from '../errors/refusals.ts';
import { decodeHtml, decodeText } from '../extract/decode-html.ts';
import { extractPage } from '../extract/extract-page.ts';
import type { RiskWeights } from '../extract/risk/risk-rules.ts';
import { examinePage } from '../extract/risk/score-page.ts';
import { examineRisk, type RiskFinding, riskOf } from '../extract/risk/score-risk.ts';
import { COOLDOWN_MS } from '../fetch/polite-client.ts';
import { readPageFile } from '../io/files/page.ts';
import { type HttpOptions, openPolite } from './open-http.ts';
import { publicPageUrl } from './public-page-url.ts';
import { readInTime } from './read-in-time.ts';

export interface ScoreRiskOptions extends HttpOptions {
  /** Weights that replace the defaults. */
  readonly riskRules?: RiskWeights;
  readonly signal?: AbortSignal;
}

export interface RiskReport {
  readonly target: string;
  readonly score: number;
  /** True from 0.4 on, without rounding (DD-I8). */
  readonly flagged: boolean;
  readonly reasons: readonly string[];
  readonly findings: readonly RiskFinding[];
}

const MAX_FILE_BYTES = 10 * 1024 * 1024;
const TIMEOUT_MS = 20_000;
const UNKNOWN_ADDRESS = 'https://page.invalid/';

/**
 * Scores how much a page looks like an attack on the models that read it: the score that its changes get, and what each rule found. The target is a URL, a file
 * of HTML, Markdown (`.md`) or text (`.txt`), or `-` for standard input.
 *
 * @example
 * const { flagged, findings } = await scoreRisk('page.html');
 * console.log(flagged, findings.map(({ rule, weight }) => `${rule} ${weight}`));
 */
export async function scoreRisk(target: string, options: ScoreRiskOptions = {}): Promise<RiskReport> {
  const { text, isHtml } = isAddress(target) ? await readAddress(target, options) : await readFile(target);
  const url = isAddress(target) ? target : UNKNOWN_ADDRESS;
  const findings = isHtml
    ? examinePage({ title: extractPage(text, url).title, html: text }, options.riskRules)
    : examineRisk({ text, concealed: commentsOf(text) }, options.riskRules);
  const { score, reasons } = riskOf(findings);
  return { target, score, flagged: score >= FLAGGED_FROM, reasons, findings };
}

interface ReadText {
  readonly text: string;
  readonly isHtml: boolean;
}

/** Anything that begins like a URL, so that `ftp://…` is not looked for on disk. */
function isAddress(target: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(target);
}

async function readAddress(target: string, options: ScoreRiskOptions): Promise<ReadText> {
  const { timeoutMs = TIMEOUT_MS, signal } = options;
  const url = publicPageUrl(target);
  await using ways = await openPolite({ ...options, timeoutMs });
  const request = { url, deadlineMs: timeoutMs, maxWaitMs: Math.max(timeoutMs, COOLDOWN_MS) };
  const page = await readInTime(ways.pages, { ...request, ...(signal !== undefined && { signal }) }, timeoutMs);
  if (page.kind !== 'page') throw documentRefusedError(`${url.href} sent no page.`);
  return { text: page.text, isHtml: page.mediaType === 'text/html' || page.mediaType === 'application/xhtml+xml' };
}

async function readFile(path: string): Promise<ReadText> {
  const bytes = await readPageFile(path, { maxBytes: MAX_FILE_BYTES });
  const isHtml = !/\.(?:md|markdown|txt)$/i.test(path);
  const text = isHtml ? decodeHtml(bytes) : decodeText(bytes);
  if (!text.ok) throw new FolderError(path, `it is no page that can be read: ${text.issues[0].message}`);
  return { text: text.value, isHtml };
}

/** The hidden parts of Markdown: its comments. */
function commentsOf(markdown: string): string {
  const comments: string[] = [];
  for (let at = markdown.indexOf('<!--'); at >= 0; at = markdown.indexOf('<!--', at + 4)) {
    const end = markdown.indexOf('-->', at);
    comments.push(markdown.slice(at + 4, end < 0 ? undefined : end));
    if (end < 0) break;
  }
  return comments.join('\n\n');
}
