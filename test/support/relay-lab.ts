import { type StepRelay, type StepRelays, type StepTaker, stepOvertakenError } from '../../src/dialects/step-relay.ts';
import { CodedError } from '../../src/errors/coded-error.ts';

interface SentStep {
  readonly dialect: string;
  readonly number: number;
  readonly step: unknown;
}

/** A process as the relay sees it: the steps it has taken, in order. */
class RelayProcess {
  readonly #lab: RelayLab;
  readonly #takers = new Map<string, StepTaker<unknown>>();
  /** The last stored step of each dialect. */
  readonly #lastOf = new Map<string, SentStep>();
  #taken = 0;
  /** Steps are not taken until `catchUp` is called. */
  isSlow = false;

  constructor(lab: RelayLab) {
    this.#lab = lab;
  }

  readonly relays: StepRelays = <Step>(dialect: string): StepRelay<Step> => ({
    isMaker: () => this.#lab.maker === this,
    onStep: ({ store, show }) =>
      void this.#takers.set(dialect, { store: (step) => store(step as Step), show: (step) => show(step as Step) }),
    send: async (step) => {
      const sent = { dialect, number: this.#numberOf(dialect) + 1, step };
      await this.#lab.append(this, sent);
      this.catchUp();
      if (this.#lastOf.get(dialect) !== sent) throw stepOvertakenError();
    },
  });

  catchUp(): void {
    for (; this.#taken < this.#lab.steps.length; this.#taken += 1) {
      const sent = this.#lab.steps[this.#taken] as SentStep;
      const { dialect, number, step } = sent;
      if (number !== this.#numberOf(dialect) + 1) continue;
      const taken = structuredClone(step);
      this.#takers.get(dialect)?.store(taken);
      this.#lastOf.set(dialect, sent);
      this.#takers.get(dialect)?.show(taken);
    }
  }

  /** Makes the steps from now on. */
  async takeOver(): Promise<void> {
    this.#lab.settle();
    this.catchUp();
    this.#lab.maker = this;
  }

  #numberOf(dialect: string): number {
    return this.#lastOf.get(dialect)?.number ?? 0;
  }
}

/** One order of steps for several processes of a test, of which one makes them. */
export class RelayLab {
  readonly steps: SentStep[] = [];
  maker: RelayProcess | undefined;
  /** What happens to the next step: it is lost, or arrives late. Its sender knows neither. */
  nextFault: 'lost' | 'late' | undefined;
  /** Called while a step is being sent. */
  onTheWay: () => Promise<void> = async () => {};
  refused = 0;
  readonly #processes: RelayProcess[] = [];
  #late: SentStep | undefined;

  newProcess(): RelayProcess {
    const process = new RelayProcess(this);
    this.#processes.push(process);
    return process;
  }

  /** Delivers the late step. */
  settle(): void {
    if (this.#late !== undefined) this.steps.push(this.#late);
    this.#late = undefined;
    for (const process of this.#processes) if (!process.isSlow) process.catchUp();
  }

  async append(process: RelayProcess, sent: SentStep): Promise<void> {
    await this.onTheWay();
    if (this.maker !== process) {
      this.refused += 1;
      throw new CodedError('NotMakerError', 'retry-later', 'Somebody else makes the steps.');
    }
    const fault = this.nextFault;
    this.nextFault = undefined;
    if (fault === 'late') this.#late = sent;
    if (fault !== undefined)
      throw new CodedError('UnknownError', 'retry-later', 'It is not known whether it was taken.');
    this.steps.push(sent);
    this.settle();
  }
}
