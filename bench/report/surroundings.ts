/** Tables of what stands around the service: a slow core, TLS, idle connections, other programs. */
import { effort, ms, type Table, two, whole } from './cells.js';
import type { Result } from './result.js';
import { titles } from './targets.js';

const coreTable = ({ core }: Result): Table[] =>
  core
    ? [
        {
          title: `Funds confirmation with a core over HTTP (${core.rounds} × ${core.seconds} s, ${core.takenAt.slice(0, 10)})`,
          head: [
            'core answers after ms',
            'connections',
            'requests/s',
            'CPU µs',
            'RSS MB',
            'connections to the core',
            'half: requests/s',
            'p50 ms',
            'p99 ms',
            'core alone p50 ms',
            'core alone p99 ms',
            'ours adds ms',
            'seldom: p50 ms',
          ],
          rows: core.rows.map((row) => [
            String(row.delayMs),
            String(row.connections),
            whole(row.perSecond),
            whole(row.cpuUs),
            whole(row.rssMb),
            String(row.coreConnections),
            whole(row.rate),
            ...[row.p50Ms, row.p99Ms, row.coreP50Ms, row.coreP99Ms].map(ms),
            two(row.p50Ms - row.coreP50Ms),
            ms(row.seldomP50Ms),
          ]),
        },
      ]
    : [];

const tlsTable = ({ tls }: Result): Table[] =>
  tls
    ? [
        {
          title: `TLS on kept connections (${effort(tls)})`,
          head: [
            '',
            'plain/s',
            'TLS/s',
            'ratio',
            'CPU µs',
            'TLS CPU µs',
            'floor with TLS/s',
            "floor's own ratio",
            'of the floor with TLS',
          ],
          rows: tls.rows.map((row) => [
            titles[row.kind],
            whole(row.perSecond),
            whole(row.tlsPerSecond),
            two(row.ratio),
            whole(row.cpuUs),
            whole(row.tlsCpuUs),
            whole(row.floorTlsPerSecond),
            two(row.floorRatio),
            two(row.ofFloor),
          ]),
        },
      ]
    : [];

const idleTable = ({ idle }: Result): Table[] =>
  idle
    ? [
        {
          title: `Idle connections (${effort(idle)})`,
          head: [
            '',
            'idle connections',
            'RSS MB before',
            'RSS MB with them',
            'KB each',
            'funds/s before',
            'funds/s with them',
            'ratio',
          ],
          rows: idle.rows.map((row) => [
            row.isTls ? 'TLS' : 'plain',
            row.opened === row.wanted
              ? whole(row.opened)
              : `${whole(row.opened)} of ${whole(row.wanted)}: ${row.limit}`,
            whole(row.rssBeforeMb),
            whole(row.rssAfterMb),
            row.kbEach.toFixed(1),
            whole(row.perSecond),
            whole(row.idlePerSecond),
            two(row.ratio),
          ]),
        },
      ]
    : [];

const peersTable = ({ peers }: Result): Table[] =>
  peers
    ? [
        {
          title: `Funds confirmation beside other programs (${effort(peers)})`,
          head: ['', 'requests/s', 'of bare POST', 'CPU µs', 'CPU ratio', 'p50 ms', 'p99 ms', 'RSS MB'],
          rows: peers.rows.map((row) => [
            row.name,
            whole(row.perSecond),
            row.ratio.toFixed(3),
            whole(row.cpuUs),
            row.cpuRatio.toFixed(3),
            ms(row.p50Ms),
            ms(row.p99Ms),
            whole(row.rssMb),
          ]),
        },
      ]
    : [];

export const surroundingsTables = (result: Result): Table[] =>
  [coreTable, tlsTable, idleTable, peersTable].flatMap((tables) => tables(result));
