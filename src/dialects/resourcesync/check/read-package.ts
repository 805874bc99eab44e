import { memorySource } from '../../../codecs/zip/memory-source.ts';
import type { Inflate } from '../../../codecs/zip/wire.ts';
import { DumpRefusedError } from '../../../errors/dump-error.ts';
import { readDumpFrom } from '../dumps/read-dump.ts';

/** The result of reading one package of a dump. */
export interface PackageReading {
  /** The capability of its manifest; undefined if the whole package is refused. */
  readonly capability?: string;
  /** What is wrong with it. */
  readonly problems: readonly string[];
}

/** Reads a whole package. Never fails because of its contents. */
export async function readPackage(bytes: Uint8Array, inflate: Inflate): Promise<PackageReading> {
  try {
    const { capability, problems } = await readDumpFrom({ name: 'The package', source: memorySource(bytes), inflate });
    return { capability, problems: problems.map(({ message }) => message) };
  } catch (error) {
    if (!(error instanceof DumpRefusedError)) throw error;
    return { problems: [error.message] };
  }
}
