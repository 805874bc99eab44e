import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type AuditMemory, decodeAuditMemory, encodeAuditMemory } from '../../audit/audit-memory.ts';
import type { EvidenceFile } from '../../audit/audit-report.ts';
import { StateCorruptError } from '../../errors/state-corrupt-error.ts';
import { createFileFolder } from './folder.ts';

/** What audits of one place leave in a folder that others may use, too. */
export interface AuditState {
  /** Undefined before the first one. Throws a {@link StateCorruptError} for a file that is no memory of an audit: a pin must not be lost unseen. */
  load(): Promise<AuditMemory | undefined>;
  save(memory: AuditMemory): Promise<void>;
  /** Keeps what proves something, beside what is there; the same only once. Gives the folder that it is in. */
  keep(files: readonly EvidenceFile[]): Promise<string>;
}

/** `place` is what the user named: each has a separate file. */
export function openAuditState(folder: string, place: string): AuditState {
  const name = `audit-${digestOf(place)}`;
  const files = createFileFolder(folder);
  const file = `${name}.ndjson`;
  return {
    async load() {
      const bytes = await files.read(file);
      if (bytes === undefined) return undefined;
      const memory = decodeAuditMemory(new TextDecoder().decode(bytes));
      if (memory !== undefined) return memory;
      const remedy = 'Restore it, or remove it: then the key of the log is taken from the place again.';
      throw new StateCorruptError(join(folder, file), 'it is no memory of an audit.', remedy);
    },
    save: (memory) => files.replace(file, new TextEncoder().encode(encodeAuditMemory(memory))),
    async keep(evidence) {
      const below = join(`${name}-evidence`, digestOf(evidence.map(({ text }) => text).join('\n')));
      for (const { name: each, text } of evidence)
        await files.replace(join(below, each), new TextEncoder().encode(text));
      return join(folder, below);
    },
  };
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
