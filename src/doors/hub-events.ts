import { TidingsError } from '../errors/tidings-error.ts';
import { EventStreams } from '../hub/push/streams/event-streams.ts';
import { eventsRoutes } from '../hub/routes/events-routes.ts';
import { repeat } from '../io/node/timer-alarm.ts';
import type { HubPushParts, PushPart } from './push-part.ts';

export async function hubEvents(parts: HubPushParts): Promise<PushPart> {
  const { config, store, tail, news, epoch, keys, watch, metrics, logger, onBug } = parts;
  const { streams: settings } = config;
  const onProblem = (error: unknown) => {
    if (error instanceof TidingsError) logger.warn({ error }, 'A stream of events was cut; its reader comes back');
    else onBug(error);
  };
  const streams = new EventStreams({ store, epoch, tail, newest: news.newest, settings, onProblem });
  metrics.watchStreams(() => streams.figures);
  const stopBeating = repeat(settings.heartbeatSeconds * 1000, () => streams.beat().catch(onProblem));
  const isSource = (id: string) => watch.source(id) !== undefined || news.lastChangeIdOf(id) !== undefined;
  return {
    routes: eventsRoutes({ streams, settings, keys, isSource }),
    async close() {
      stopBeating();
      streams.close();
    },
  };
}
