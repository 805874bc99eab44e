/**
 * The blocks of an event stream (WHATWG HTML §9.2). Each is written whole, and its data is on one line.
 *
 *     event: change
 *     id: 01ARZ3NDEKTSV4RRFFQ69G5FAV
 *     data: {"seq":1,…}
 *
 * A block without data fires no event, but its id counts: a reader that reconnects sends it.
 */
import { BodyPiece } from '../../http/pushed-body.ts';
import type { TailEvent } from '../change-tail.ts';

export function changeText({ json }: Pick<TailEvent, 'json'>, cursor: string): string {
  return `event: change\nid: ${cursor}\ndata: ${json}\n\n`;
}

/** Says where to read again. */
export function resyncPiece(from: string | null, cursor: string): BodyPiece {
  return new BodyPiece(`event: resync\nid: ${cursor}\ndata: ${JSON.stringify({ from })}\n\n`);
}

/** The first block of a stream: the retry time, and the cursor in case nothing is sent before a reconnect. */
export function openingPiece(retryMs: number, cursor: string | undefined): BodyPiece {
  return new BodyPiece(`retry: ${retryMs}\n${cursor === undefined ? '' : `id: ${cursor}\n`}\n`);
}

/** For a reader that is past its last matching change: it reconnects from here. */
export function placePiece(cursor: string): BodyPiece {
  return new BodyPiece(`: ok\nid: ${cursor}\n\n`);
}

export function retryPiece(retryMs: number, why: string): BodyPiece {
  return new BodyPiece(`: ${why}\nretry: ${retryMs}\n\n`);
}

export const HEARTBEAT = new BodyPiece(': ok\n\n');
