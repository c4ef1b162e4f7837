/**
 * Copies the write-ahead log into the database beside the calls, for which no answer should wait. Commits go on meanwhile; only if the log
 * has become long does a last pass keep them out, when hardly anything is left to copy, because a log that is never whole would grow for ever.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { driver } from './driver.js';

/** Who reads for longer than this keeps the log as it is until the next time. */
const PATIENCE = 'pragma busy_timeout = 20';
const BESIDE_COMMITS = 'pragma wal_checkpoint(passive)';
const TO_THE_END = 'pragma wal_checkpoint(restart)';
/** 32 MB. */
const LONG_LOG_PAGES = 8000;

const Connection = driver();
const connection = new Connection(workerData as string);
connection.exec(PATIENCE);
const beside = connection.prepare(BESIDE_COMMITS);

const copy = (): void => {
  beside.get();
  // What has come in the meantime is little: the database is flushed if nothing comes while that is copied.
  const { log } = beside.get() as { log: number };
  if (log > LONG_LOG_PAGES) connection.exec(TO_THE_END);
};

parentPort?.on('message', (isLast: boolean) => {
  if (isLast) {
    connection.close();
    parentPort?.close();
    return;
  }
  copy();
  parentPort?.postMessage('copied');
});
