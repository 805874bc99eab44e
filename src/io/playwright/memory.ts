import { readdirSync, readFileSync } from 'node:fs';

/** The anonymous memory of a process group, in bytes; undefined if the system does not report it (only Linux does). */
export function memoryOfGroup(groupId: number): number | undefined {
  const processes = entriesOf('/proc').filter((name) => /^\d+$/.test(name));
  const own = processes.filter((id) => groupOf(id) === groupId);
  return processes.length === 0 ? undefined : own.reduce((sum, id) => sum + memoryOf(id), 0);
}

function groupOf(id: string): number | undefined {
  // The name of the program is in brackets and may contain anything: state, parent and group follow the last one.
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

/** Empty for a process that has ended in the meantime. */
function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
