import { auditLog } from '../../audit/audit-log.ts';
import { type AuditMemory, briefMemory, decodeAuditMemory, encodeAuditMemory } from '../../audit/audit-memory.ts';
import { createHttpSource } from '../../check/http-source.ts';
import { isRecord } from '../../codecs/primitives/json-record.ts';
import { AuditFailedError } from '../../errors/audit-error.ts';
import { UnreadableTargetError } from '../../errors/unreadable-target-error.ts';
import type { WatchedSource } from '../store/hub-store.ts';
import type { VisitPorts } from './visit-ports.ts';

const DIALECT = 'audit';
/** A visit must end: a place that asks for a longer wait is looked at in the next one. */
const MAX_WAIT_MS = 20_000;

type AuditPorts = Pick<VisitPorts, 'store' | 'dialects' | 'http' | 'wait' | 'signal' | 'keepEvidence'>;

/**
 * Audits a source against its provable log before it is read, if its operator wants that. Throws an {@link AuditFailedError}, which is a safety stop, if
 * something is proven wrong. When an operator resumes the source with `--allow-deletes`, the log is accepted as it is then.
 */
export async function auditSource({ config, allowDeletes }: WatchedSource, ports: AuditPorts): Promise<void> {
  const { http, dialects, signal, keepEvidence } = ports;
  if ((config.kind !== 'auto' && config.kind !== 'feed') || config.audit !== true || keepEvidence === undefined) return;
  const entry = `${DIALECT} ${config.url}`;
  const state = ports.store.followStateOf(config.id);
  const known = allowDeletes === true ? undefined : await state.find(entry);
  const memory = known?.dialect === DIALECT ? memoryOf(known.memory) : undefined;
  const { report, memory: next } = await auditLog(
    { source: createHttpSource(http, new URL(config.url), signal), dialects, memory, maxWaitMs: MAX_WAIT_MS },
    { wait: (ms) => ports.wait(ms, signal), onStatus: () => {} },
  );
  if (report.findings.length > 0) {
    const folder = report.evidence.length === 0 ? undefined : await keepEvidence(config.id, report.evidence);
    const said = report.findings.map(({ what }) => what);
    throw new AuditFailedError(config.url, said, folder);
  }
  if (next === undefined || !report.proven) {
    throw new UnreadableTargetError(config.url, report.unread[0] ?? 'its log could not be read', 'retry-later');
  }
  const text = encodeAuditMemory(briefMemory(next, next.vkey.slice(0, next.vkey.indexOf('+'))));
  const nothing = { seenIds: [], checksums: [], items: [], pending: [], settledIds: [], changes: [] };
  await state.commit({ ...nothing, state: { source: config.id, entry, dialect: DIALECT, memory: { text } } });
}

function memoryOf(value: unknown): AuditMemory | undefined {
  return isRecord(value) && typeof value.text === 'string' ? decodeAuditMemory(value.text) : undefined;
}
