/** Whether several nodes of this machine can listen on one port (SO_REUSEPORT): what the store, Node and the system must offer. */
import type { Config } from './config.js';

/** The first version of Node whose listeners know `reusePort`. */
const SINCE = [22, 12] as const;
/** On others, macOS and Windows among them, the system refuses such a listener. */
const SYSTEMS = ['linux', 'freebsd', 'aix', 'sunos'];

export interface Runtime {
  /** Of Node. */
  readonly version: string;
  readonly platform: string;
}

const own = (): Runtime => ({ version: process.versions.node, platform: process.platform });

const isOlder = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < SINCE[0] || (major === SINCE[0] && minor < SINCE[1]);
};

const INSTEAD = 'Give each node a PORT of its own, behind a proxy.';

export const sharedPortFaults = (
  { sharedPort, databaseUrl }: Pick<Config, 'sharedPort' | 'databaseUrl'>,
  { version, platform }: Runtime = own(),
): string[] => {
  if (sharedPort === 'off') return [];
  const faults: string[] = [];
  if (databaseUrl.startsWith('sqlite:'))
    faults.push(
      'TRAPEZA_SHARED_PORT is for several nodes, and SQLite has one writer at a time, so it serves one node: set DATABASE_URL to postgres://….',
    );
  if (isOlder(version))
    faults.push(`TRAPEZA_SHARED_PORT needs Node ${SINCE.join('.')} or later, this is ${version}. ${INSTEAD}`);
  if (!SYSTEMS.includes(platform))
    faults.push(`TRAPEZA_SHARED_PORT does not work on this system (${platform}). ${INSTEAD}`);
  return faults;
};
