import { Option } from 'commander';
import type { Reader, ReaderOptions } from '../../doors/agent-feed.ts';
import { ReaderLockedError } from '../../errors/reader-error.ts';
import { type ReadAnswer, readAnswer, type ShapedRequest } from '../read-answer.ts';
import { readEnding } from '../read-ending.ts';
import { addReadPolicy, addReadQuestions, readerOptionsOf, readRequestOf } from '../read-options.ts';
import { readText } from '../read-text.ts';
import type { Verb } from '../verb.ts';
import type { World } from '../world.ts';

const TRUST_HELP = `
An origin that ended its feed stays untrusted, whatever it says later, until you say --retrust. A state that you move away
takes with it who is not trusted. While another run has the state, this one waits for 5 s, then tells what is known.
--observe takes a response in JSON, or its shape: {"/currency": "string", "/items/0/price": "number"}.
Exit codes: 0 done · 2 usage · 3 the feed or the identity could not be read: what is known is printed; or the state could
not be: nothing is · 4 not trusted, or "suspended": the feed is of a later version, and counts for nothing until it is not`;

export const read: Verb = {
  example:
    'tidings read https://api.example --state reader.db --json\ntidings read https://api.example --state reader.db --resolve orders-api\ntidings read https://api.example --state reader.db --observe orders-api response.json',

  configure(command) {
    command
      .argument('[origin]', 'the origin of the API, like https://api.example')
      .addOption(new Option('--state <file>', 'remember what was read, and who is trusted, here').env('TIDINGS_STATE'))
      .option('--refresh', 'ask now, although it is early; a pause that the origin asked for is kept')
      .option('--json', 'print the result as JSON');
    addReadQuestions(command);
    addReadPolicy(command);
    command.addHelpText('after', TRUST_HELP);
  },

  async run(args, options, world) {
    const request = readRequestOf(args, options);
    const { createReader, readShape, shapeOf } = await import('../../doors/agent-feed.ts');
    const { origin, ignored, baseline } = request;
    if (ignored !== undefined) world.complain(`tidings: ${ignored} does not count; the origin is ${origin.origin}.`);
    const shape = baseline === undefined ? {} : { baseline: readShape(baseline) ?? shapeOf(baseline) };
    const open = (how: ReaderOptions) => createReader({ ...readerOptionsOf(request, options, world), ...how });
    const answer = await answerOrKnown(open, { ...request, shape }, world);
    if (options.json === true) await world.print(JSON.stringify(answer));
    else for (const line of readText(answer)) await world.print(line);
    return readEnding(answer, request, world);
  },
};

/** While another reader has the state, what is known is read beside it: that is enough where it is no time for a poll. */
async function answerOrKnown(
  open: (how: ReaderOptions) => Reader,
  request: ShapedRequest,
  world: World,
): Promise<ReadAnswer> {
  try {
    await using reader = open({});
    return await readAnswer(reader, request, world);
  } catch (error) {
    if (!(error instanceof ReaderLockedError) || request.retrust) throw error;
    await using reader = open({ readOnly: true });
    const answer = await readAnswer(reader, request, world);
    const isEarly = answer.nextPollAt !== null && Date.parse(answer.nextPollAt) > Date.now();
    return isEarly && !request.refresh ? answer : { ...answer, problem: error.message };
  }
}
