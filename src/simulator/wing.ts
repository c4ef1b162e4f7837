/** What the command line finds here; only what is called is loaded. */
import type { Wing } from '../cli/wings.js';

export const wing: Wing = {
  commands: {
    'core-simulator': async () => (await import('./cli.js')).registerCoreSimulator,
    'core-check': async () => (await import('../core-check/cli.js')).registerCoreCheck,
  },
};
