import type { ServerContext } from '@modelcontextprotocol/server';

type Request = Pick<ServerContext['mcpReq'], '_meta' | 'notify' | 'signal'>;

/** Reports the progress of a tool if the caller asked for it: rising values, and none after the answer. */
export function createProgress({ _meta: meta, notify, signal }: Request) {
  const progressToken = meta?.progressToken;
  let progress = 0;
  let isOver = progressToken === undefined;
  return {
    tell(message: string): void {
      if (isOver || signal.aborted || progressToken === undefined) return;
      progress += 1;
      const params = { progressToken, progress, message: message.slice(0, 200) };
      // A client that went away needs no progress.
      notify({ method: 'notifications/progress', params }).catch(() => undefined);
    },
    end(): void {
      isOver = true;
    },
  };
}
