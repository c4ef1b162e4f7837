/** Copies the write-ahead log beside the calls, for which no answer should wait. */
import { parentPort, workerData } from 'node:worker_threads';
import { createCopy } from './copy-log.js';
import { driver } from './driver.js';

/** Who reads for longer than this keeps the log as it is until the next time. */
const PATIENCE = 'pragma busy_timeout = 20';

const Connection = driver();
const connection = new Connection(workerData as string);
connection.exec(PATIENCE);

const copy = createCopy(connection);
parentPort?.on('message', (isLast: boolean) => {
  if (isLast) {
    connection.close();
    parentPort?.close();
    return;
  }
  copy();
  parentPort?.postMessage('copied');
});
