/** The part of pubsubhubbub 1.x that a test uses. The package has no types. */
declare module 'pubsubhubbub' {
  import type { EventEmitter } from 'node:events';
  import type { Server } from 'node:http';

  interface PubSubHubbub extends EventEmitter {
    readonly server: Server;
    callbackUrl: string;
    listen(port: number, host: string): void;
    subscribe(topic: string, hub: string, callback: (error: Error | null) => void): void;
    unsubscribe(topic: string, hub: string, callback: (error: Error | null) => void): void;
  }

  export function createServer(options: {
    readonly callbackUrl?: string;
    readonly leaseSeconds?: number;
  }): PubSubHubbub;
}
