/** A shared port is refused in words where it cannot be: the store, the version of Node, the system. */
import { expect, it } from 'vitest';
import { sharedPortFaults } from '../../src/config/shared-port.js';
import { productionFaults, readConfig } from '../../src/index.js';

const POSTGRES = 'postgres://host/name';
const good = { version: '22.12.0', platform: 'linux' };
const faults = (databaseUrl: string, runtime = good, sharedPort: 'on' | 'off' = 'on') =>
  sharedPortFaults({ sharedPort, databaseUrl }, runtime);

it.each(['22.12.0', '23.1.0', '24.0.0', '26.1.0'])('Node %s with PostgreSQL may share a port', (version) => {
  expect(faults(POSTGRES, { ...good, version })).toEqual([]);
});

it.each(['20.19.4', '22.11.0'])('Node %s may not, and is told what to do instead', (version) => {
  expect(faults(POSTGRES, { ...good, version })).toEqual([
    `TRAPEZA_SHARED_PORT needs Node 22.12 or later, this is ${version}. Give each node a PORT of its own, behind a proxy.`,
  ]);
});

it.each(['darwin', 'win32'])('%s may not', (platform) => {
  expect(faults(POSTGRES, { ...good, platform })).toEqual([
    `TRAPEZA_SHARED_PORT does not work on this system (${platform}). Give each node a PORT of its own, behind a proxy.`,
  ]);
});

it('a service on SQLite is one node', () => {
  expect(faults('sqlite:trapeza.db')).toEqual([
    expect.stringMatching(/^TRAPEZA_SHARED_PORT .*SQLite.* one node/),
  ]);
  expect(faults('sqlite:trapeza.db', good, 'off')).toEqual([]);
});

it('doctor names it with what else production demands', () => {
  const env = { TRAPEZA_SHARED_PORT: 'on', DATABASE_URL: 'sqlite:trapeza.db' };
  expect(productionFaults(readConfig(env), env).join('\n')).toContain(
    'TRAPEZA_SHARED_PORT is for several nodes',
  );
});
