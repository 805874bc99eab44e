/**
 * Loaded before the command line with `node --import`, into the processes of a tortured cluster. The product knows nothing of it.
 *
 *     TIDINGS_TORTURE_WITNESS=<file>     writes down there, at once, what the journal acknowledged and what was refused
 *     TIDINGS_TORTURE_AHEAD_MS=3600000   the clock of this process is ahead by so much
 *     TIDINGS_TORTURE_FLAW=two-projectors  every server makes the documents, as if it were alone
 *
 * SIGUSR2 has it stop, as SIGSTOP does, in the worst place: when a visit under a lease is about to be written.
 */
import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { register } from 'node:module';

const { TIDINGS_TORTURE_WITNESS: file, TIDINGS_TORTURE_AHEAD_MS: ahead, TIDINGS_TORTURE_FLAW: flaw } = process.env;

register('./cluster-hub-hooks.mjs', import.meta.url, { data: { flaw } });
if (ahead !== undefined && Number(ahead) !== 0) shiftClock(Number(ahead));

let shallStop = false;
process.on('SIGUSR2', () => {
  shallStop = true;
});

globalThis.tortureCluster = {
  named: (name) => say({ is: 'named', name, pid: process.pid }),
  before(calls) {
    if (!shallStop || !calls.flat().some(({ fence }) => fence?.task.startsWith('source:'))) return;
    shallStop = false;
    process.kill(process.pid, 'SIGSTOP');
  },
  refused: ({ kind, fence }, why) => say({ is: 'refused', why, kind, ...fence }),
  acked(writes, answers) {
    for (const [index, answer] of answers.entries()) {
      if ('refused' in answer) continue;
      const { kind, body, fence } = writes[index];
      const sha256 = createHash('sha256').update(body).digest('hex');
      say({ is: 'acked', kind, rev: answer.rev, sha256, ...fence });
    }
  },
};

function say(fact) {
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(fact)}\n`);
}

function shiftClock(byMs) {
  const Real = Date;
  globalThis.Date = class extends Real {
    constructor(...words) {
      if (words.length === 0) super(Real.now() + byMs);
      else super(...words);
    }

    static now() {
      return Real.now() + byMs;
    }
  };
}
