/** Long documents written piece by piece: never more than a batch of rows is in memory. */
import { setImmediate } from 'node:timers/promises';

const CHUNK = 16_384;

/** Small pieces gathered, so that a file of many rows is not sent as many packets. */
export async function* inChunks(pieces: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let chunk = '';
  let isFirst = true;
  for await (const piece of pieces) {
    chunk += piece;
    if (!isFirst && chunk.length < CHUNK) continue;
    yield chunk;
    chunk = '';
    // The first piece leaves at once: an embedded store would answer without a pause.
    if (isFirst) await setImmediate();
    isFirst = false;
  }
  if (chunk !== '') yield chunk;
}

/** One JSON array, each row on a line of its own. */
export async function* jsonList(rows: AsyncIterable<object>): AsyncGenerator<string, void, undefined> {
  let before = '[\n';
  for await (const row of rows) {
    yield `${before}${JSON.stringify(row)}`;
    before = ',\n';
  }
  yield before === '[\n' ? '[]' : '\n]';
}

/** One JSON object; a member that is a list is written row by row, each on a line of its own. */
export async function* jsonDocument(
  members: Readonly<Record<string, AsyncIterable<object> | string>>,
): AsyncGenerator<string, void, undefined> {
  let opening = '{';
  for (const [name, value] of Object.entries(members)) {
    yield `${opening}\n${JSON.stringify(name)}: `;
    opening = ',';
    if (typeof value === 'string') {
      yield JSON.stringify(value);
      continue;
    }
    yield* jsonList(value);
  }
  yield '\n}\n';
}
