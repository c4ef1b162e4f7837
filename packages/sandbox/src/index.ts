/** What the command line finds here; only what is called is loaded. */
import type { Wing } from 'trapeza/cli';

export const wing: Wing = {
  commands: {
    sandbox: async () => (await import('./cli.js')).registerSandbox,
    pki: async () => (await import('./pki/cli.js')).registerPki,
  },
  extension: async () => (await import('./sandbox.js')).sandbox,
  previewBrand: async (wish) => (await import('./preview/preview.js')).previewBrand(wish),
};
