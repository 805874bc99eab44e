import { basename, dirname } from 'node:path';
import { type AuditQuorum, auditLog } from '../audit/audit-log.ts';
import type { AuditReport } from '../audit/audit-report.ts';
import { createFolderSource } from '../check/folder-source.ts';
import { createHttpSource } from '../check/http-source.ts';
import { canParseUrl } from '../codecs/primitives/can-parse-url.ts';
import { DIALECTS } from '../dialects/registry.ts';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import { openAuditState } from '../io/files/audit-state.ts';
import { createFileFolder, openFileFolder } from '../io/files/folder.ts';
import { readVerifierKey } from '../io/files/verifier-key-file.ts';
import { wait } from '../io/node/timer-wait.ts';
import { demandQuorum, quorumOf } from '../witness/demand-quorum.ts';
import { type HttpOptions, openHttp } from './open-http.ts';

export type { AuditFinding, AuditReport } from '../audit/audit-report.ts';

export interface AuditOptions extends HttpOptions {
  /** A folder that keeps the key, checkpoint and changes of each place from one audit to the next. Evidence is kept there too. */
  readonly state?: string;
  /** Where evidence is kept if there is no `state`. Absent: evidence is in the outcome only. */
  readonly evidence?: string;
  /** A file with a signed checkpoint that was seen before. */
  readonly since?: string;
  /** The key of the log, known from elsewhere: its text, or a file that contains it. */
  readonly vkey?: string;
  /** The file to which the newest proven checkpoint is written. */
  readonly save?: string;
  /** Keys of witnesses that must have cosigned the checkpoint, or files with one key each. */
  readonly witnesses?: readonly string[];
  /** How many of the witnesses must have cosigned. Default: all. */
  readonly quorum?: number | undefined;
  /** How often a live place is read again if its log and feeds are not at the same change. Default: 4. */
  readonly looks?: number;
  readonly signal?: AbortSignal;
  readonly onStatus?: (line: string) => void;
}

export interface AuditOutcome extends AuditReport {
  /** The folder with the evidence for the findings. */
  readonly evidenceFolder?: string;
}

/**
 * Proves that the provable log of a site or hub continues what was seen of it before, and that its feeds and files agree with the log.
 *
 * @example
 * const { ok, findings } = await audit('https://docs.example/', { state: './audit' });
 * for (const { what, where } of findings) console.error(where, what);
 */
export async function audit(target: string, options: AuditOptions = {}): Promise<AuditOutcome> {
  const { state: folder, since, vkey, save, looks, signal = NEVER, onStatus = () => {} } = options;
  const state = folder === undefined ? undefined : openAuditState(folder, target);
  const memory = await state?.load();
  const request = {
    dialects: DIALECTS,
    memory,
    since: since === undefined ? undefined : await fileOf('since', since),
    vkey: vkey === undefined ? undefined : await keyText(vkey),
    looks,
    quorum: auditQuorum(options),
  };
  const ports = { wait: (ms: number) => wait(ms, signal), onStatus };
  const isLive = /^[a-z][a-z0-9+.-]+:\/\//i.test(target);
  await using http = isLive ? await openHttp(options) : undefined;
  const source =
    http === undefined
      ? await createFolderSource(openFileFolder(target))
      : createHttpSource(http, addressOf(target), signal);
  const { report, memory: next } = await auditLog({ ...request, source }, ports);
  const keeper = state ?? (options.evidence === undefined ? undefined : openAuditState(options.evidence, target));
  const evidenceFolder = report.evidence.length === 0 ? undefined : await keeper?.keep(report.evidence);
  if (next !== undefined) {
    await state?.save(next);
    if (save !== undefined) {
      await createFileFolder(dirname(save)).replace(basename(save), new TextEncoder().encode(next.checkpoint));
    }
  }
  return { ...report, ...(evidenceFolder !== undefined && { evidenceFolder }) };
}

/** Undefined if no witnesses are named. */
function auditQuorum({ witnesses = [], quorum }: Pick<AuditOptions, 'witnesses' | 'quorum'>): AuditQuorum | undefined {
  const keys = witnesses.map((witness) => readVerifierKey(witness, 'witness', '--witness'));
  const wanted = quorumOf(keys, quorum);
  if (!wanted.ok) throw new SettingRefusedError('--quorum', quorum ?? '', wanted.issues[0].message);
  if (keys.length === 0) return undefined;
  return {
    witnesses: keys,
    missing(checkpoint) {
      const counted = demandQuorum(checkpoint, wanted.value, Date.now());
      return counted.ok ? undefined : counted.issues[0].message;
    },
  };
}

const NEVER = new AbortController().signal;

function addressOf(target: string): URL {
  if (canParseUrl(target) && /^https?:/i.test(target)) return new URL(target);
  throw new SettingRefusedError('place', target, 'Give the http or https URL of a site or hub, or a published folder.');
}

async function fileOf(setting: string, path: string): Promise<Uint8Array> {
  const bytes = await createFileFolder(dirname(path)).read(basename(path));
  if (bytes === undefined) throw new SettingRefusedError(setting, path, 'There is no such file.');
  return bytes;
}

/** A key contains plus signs, which file names rarely do. */
async function keyText(text: string): Promise<string> {
  if (/\+[0-9a-f]{8}\+/.test(text)) return text;
  return new TextDecoder().decode(await fileOf('vkey', text));
}
