// Reads a page of an index repeatedly until it is told to stop, then reports the distinct readings.
import { isBuiltin } from 'node:module';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';

const { DatabaseSync } = await import(isBuiltin('node:sqlite') ? 'node:sqlite' : '@photostructure/sqlite');
const { file, url, sql } = workerData;
const database = new DatabaseSync(file, { readOnly: true });
database.exec('PRAGMA busy_timeout = 5000');
const statement = database.prepare(sql);
const seen = new Set();
const look = () =>
  seen.add(
    statement
      .all(url, url)
      .map(({ text }) => text)
      .join('\n'),
  );

look();
parentPort.postMessage('reading');
do look();
while (receiveMessageOnPort(parentPort) === undefined);
database.close();
parentPort.postMessage([...seen]);
