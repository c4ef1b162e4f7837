/** `trapeza logs`: the last calls of applications, and those that come. */
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Admin } from '../admin/admin.js';
import { SECOND } from '../lib/clock.js';
import { instantText } from '../lib/instant.js';
import type { ClientId } from '../model/ids.js';
import type { RequestLine } from '../observe/request-log/records.js';
import { problemNamed } from '../problem/problem.js';
import { print } from './output.js';
import { withAdmin } from './store.js';

interface TailOptions {
  readonly application?: ClientId;
  readonly json?: boolean;
  readonly follow: boolean;
}

const lineOf = (call: RequestLine): string => {
  const { at, clientId, status, operation, slug = '', requestId, ms, detail } = call;
  const remedy = problemNamed(slug)?.remedy;
  const head = [instantText(at), clientId, status, operation, slug, `${ms} ms`, requestId];
  const help = [detail, remedy].flatMap((text) => (text === undefined ? [] : [`\n  ${text}`]));
  return `${head.filter((each) => each !== '').join('  ')}${help.join('')}`;
};

const show = (call: RequestLine, json = false): void => {
  const { at, ...rest } = call;
  print(
    json
      ? JSON.stringify({ at: instantText(at), ...rest, remedy: problemNamed(call.slug)?.remedy })
      : lineOf(call),
  );
};

/** What has come since the last look; `seen` is kept up to date. */
const newCalls = async (
  admin: Admin,
  seen: Map<ClientId, number>,
  only: ClientId | undefined,
): Promise<RequestLine[]> => {
  const found: RequestLine[] = [];
  for (const { clientId, last } of await admin.requestPositions()) {
    const known = seen.get(clientId) ?? 0;
    if ((only !== undefined && clientId !== only) || last <= known) continue;
    const calls = await admin.requests(clientId, known);
    seen.set(clientId, calls[0]?.position ?? known);
    found.push(...calls);
  }
  return found.toSorted((a, b) => a.at - b.at || a.position - b.position);
};

const tail = ({ application, json, follow }: TailOptions): Promise<void> =>
  withAdmin(async (admin) => {
    const stop = new AbortController();
    const signals = ['SIGINT', 'SIGTERM'].map((name) => once(process, name, { signal: stop.signal }));
    void Promise.race(signals).then(
      () => stop.abort(),
      () => undefined,
    );
    const seen = new Map<ClientId, number>();
    const first = await newCalls(admin, seen, application);
    if (first.length === 0 && !json)
      print('No calls yet. The sandbox keeps them; elsewhere TRAPEZA_REQUEST_LOG=on does.');
    for (const call of first) show(call, json);
    while (follow && !stop.signal.aborted) {
      await setTimeout(SECOND, undefined, { signal: stop.signal }).catch(() => undefined);
      if (stop.signal.aborted) break;
      for (const call of await newCalls(admin, seen, application)) show(call, json);
    }
    stop.abort();
  });

export const registerLogs = (program: Command): void => {
  const logs = program
    .command('logs')
    .description('calls of applications as their developers see them: tail');
  logs
    .command('tail')
    .description('print the last calls with problem and remedy, then those that come, until Ctrl-C')
    .option('--application <clientId>', 'of this application only')
    .option('--no-follow', 'end after the last calls')
    .option('--json', 'print JSON, one call on a line')
    .action(tail);
};
