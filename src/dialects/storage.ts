import type { ReaderPorts } from './reader.ts';

/** Stores of readers that are lost when the process ends: one of each kind. */
export function inMemoryStorage(): ReaderPorts['storage'] {
  const opened = new Map<string, unknown>();
  return (kind) => {
    const known = opened.get(kind.name);
    const storage = kind.is(known) ? known : kind.inMemory();
    opened.set(kind.name, storage);
    return storage;
  };
}
