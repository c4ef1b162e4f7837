/**
 * Copies the write-ahead log into the database beside the calls: 15 to 30 ms for which no answer should wait. Commits go on meanwhile; only
 * the last pass keeps them out, when hardly anything is left to copy, because a log that is never whole would grow for ever.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { driver } from './driver.js';

/** Who reads for longer than this keeps the log as it is until the next time. */
const PATIENCE = 'pragma busy_timeout = 20';
const BESIDE_COMMITS = 'pragma wal_checkpoint(passive)';
const TO_THE_END = 'pragma wal_checkpoint(restart)';

const Connection = driver();
const connection = new Connection(workerData as string);
connection.exec(PATIENCE);

parentPort?.on('message', (isLast: boolean) => {
  if (isLast) {
    connection.close();
    parentPort?.close();
  } else for (const pass of [BESIDE_COMMITS, BESIDE_COMMITS, TO_THE_END]) connection.exec(pass);
});
