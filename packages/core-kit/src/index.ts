/** What the command line finds here; only what is called is loaded. */
import type { Wing } from 'trapeza/cli';

export const wing: Wing = {
  commands: {
    'core-simulator': async () => (await import('./simulator/cli.js')).registerCoreSimulator,
    'core-check': async () => (await import('./core-check/cli.js')).registerCoreCheck,
  },
};
