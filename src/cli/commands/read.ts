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
An origin that ended its feed stays untrusted, whatever it says later, until you use --retrust. The state file holds who is
not trusted: without it, that is forgotten. While another run uses the state, this one waits 5 s, then prints what is known.
--observe takes a JSON response, or its shape: {"/currency": "string", "/items/0/price": "number"}.
Exit codes: 0 done · 2 usage · 3 the feed or the identity could not be read (what is known is printed), or the state could
not be read (nothing is printed) · 4 not trusted, or "suspended": the feed has an unknown later version, and is ignored`;

export const read: Verb = {
  example:
    'tidings read https://api.example --state reader.db --json\ntidings read https://api.example --state reader.db --resolve orders-api\ntidings read https://api.example --state reader.db --observe orders-api response.json',

  configure(command) {
    command
      .argument('[origin]', 'the origin of the API, like https://api.example')
      .addOption(new Option('--state <file>', 'remember here what was read and who is trusted').env('TIDINGS_STATE'))
      .option('--refresh', 'poll now, even if it is early (a pause that the origin asked for is still kept)')
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

/** While another reader has the state, what is known is read beside it: that is enough if no poll is due. */
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
