import { type HostMark, type HostMemory, turnStart } from './host-memory.ts';

/** For one process and its life. */
export class MemoryHostMemory implements HostMemory {
  private readonly marks = new Map<string, number>();

  async until(mark: HostMark, host: string): Promise<number> {
    return this.marks.get(`${mark} ${host}`) ?? 0;
  }

  async extend(mark: HostMark, host: string, untilMs: number): Promise<void> {
    this.marks.set(`${mark} ${host}`, Math.max(await this.until(mark, host), untilMs));
  }

  async forget(mark: HostMark, host: string): Promise<void> {
    this.marks.delete(`${mark} ${host}`);
  }

  async takeTurn(host: string, { nowMs, gapMs }: { readonly nowMs: number; readonly gapMs: number }): Promise<number> {
    const startMs = turnStart(this.marks.get(`turn ${host}`) ?? 0, nowMs);
    this.marks.set(`turn ${host}`, startMs + gapMs);
    return startMs;
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}
