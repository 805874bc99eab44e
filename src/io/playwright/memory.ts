import { readdirSync, readFileSync } from 'node:fs';

/** Memory of a process group that no file stands behind, in bytes; undefined where the system does not tell (only Linux does). */
export function memoryOfGroup(groupId: number): number | undefined {
  const processes = entriesOf('/proc').filter((name) => /^\d+$/.test(name));
  const own = processes.filter((id) => groupOf(id) === groupId);
  return processes.length === 0 ? undefined : own.reduce((sum, id) => sum + memoryOf(id), 0);
}

function groupOf(id: string): number | undefined {
  // The name of the program stands in brackets and may contain anything: state, parent and group follow the last one.
  const [, , group] = contentOf(`/proc/${id}/stat`).split(') ').at(-1)?.split(' ') ?? [];
  return group === undefined ? undefined : Number(group);
}

function memoryOf(id: string): number {
  const lines = contentOf(`/proc/${id}/status`).matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm);
  return [...lines].reduce((sum, [, kilobytes]) => sum + Number(kilobytes) * 1024, 0);
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Nothing for a process that has ended meanwhile. */
function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
