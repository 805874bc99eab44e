import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface ScratchFolder extends AsyncDisposable {
  readonly path: string;
}

/** A folder of our own for as long as it is needed, readable by nobody else. */
export async function openScratchFolder(name: string): Promise<ScratchFolder> {
  const path = await mkdtemp(join(tmpdir(), `${name}-`));
  return { path, [Symbol.asyncDispose]: () => removeFolder(path) };
}

/** With all that is in it. */
export async function removeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
}
