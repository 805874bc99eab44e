import { answerClaim, type HostMark, type HostMemory, type TurnAnswer, type TurnClaim } from './host-memory.ts';

/** For one process and its life. */
export class MemoryHostMemory implements HostMemory {
  private readonly marks = new Map<string, number>();

  async until(mark: HostMark, host: string): Promise<number> {
    return this.read(mark, host);
  }

  async extend(mark: HostMark, host: string, untilMs: number): Promise<void> {
    this.marks.set(`${mark} ${host}`, Math.max(this.read(mark, host), untilMs));
  }

  async forget(mark: HostMark, host: string): Promise<void> {
    this.marks.delete(`${mark} ${host}`);
  }

  async claimTurn(host: string, { nowMs, busyUntilMs }: TurnClaim): Promise<TurnAnswer> {
    const answer = answerClaim(this.read('busy', host), this.read('turn', host), nowMs);
    if (answer.busyUntilMs === 0 && answer.turnAtMs === 0) this.marks.set(`busy ${host}`, busyUntilMs);
    return answer;
  }

  async endTurn(host: string, turnAtMs: number): Promise<void> {
    this.marks.delete(`busy ${host}`);
    this.marks.set(`turn ${host}`, turnAtMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  private read(mark: HostMark, host: string): number {
    return this.marks.get(`${mark} ${host}`) ?? 0;
  }
}
