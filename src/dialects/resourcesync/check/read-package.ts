import { memorySource } from '../../../codecs/zip/memory-source.ts';
import type { Inflate } from '../../../codecs/zip/wire.ts';
import { DumpRefusedError } from '../../../errors/dump-error.ts';
import { readDumpFrom } from '../dumps/read-dump.ts';

/** What is in a package of a dump. */
export interface PackageReading {
  /** That of its manifest; undefined where it is refused as a whole. */
  readonly capability?: string;
  /** What is wrong with it. */
  readonly problems: readonly string[];
}

/** Looks through a package. Never fails on what is in it. */
export async function readPackage(bytes: Uint8Array, inflate: Inflate): Promise<PackageReading> {
  try {
    const { capability, problems } = await readDumpFrom({ name: 'The package', source: memorySource(bytes), inflate });
    return { capability, problems: problems.map(({ message }) => message) };
  } catch (error) {
    if (!(error instanceof DumpRefusedError)) throw error;
    return { problems: [error.message] };
  }
}
