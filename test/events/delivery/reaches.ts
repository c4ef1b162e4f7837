/** Where the addresses of third parties may lead. */
import type { Reach } from '../../../src/lib/net/strangers.js';

/** Of a service that strangers reach. */
export const hosted: Reach = { allowsLoopback: false, ownPorts: new Set(), ownReceivers: () => [] };

/** Of a sandbox on a loopback address. */
export const local: Reach = { ...hosted, allowsLoopback: true };
